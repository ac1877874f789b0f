package io.karmi.connection.call;

import io.karmi.connection.channel.ConnectionLog;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.guard.ConnectionLimit;
import io.karmi.connection.guard.Patience;
import io.karmi.connection.guard.SignsOfLife;
import io.karmi.marshal.CallInput;
import io.karmi.technology.ConnectionSettings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the watchdog sees of a {@link CallConnection}, and how it ends one: calls whose time is up,
 * and other ends that send or take nothing. Called by the watchdog unless a method says otherwise.
 */
public final class ConnectionWatch {
  /**
   * Time without getting on after which a thread that reads a call or sends a reply may lose its
   * connection. It may have been without a processor.
   */
  public static final long STUCK_NANOS = 300_000_000;

  private final CallConnection connection;
  private final ReplyWait waiting;
  private final IncomingCall incomingCall;
  private final Patience patience;
  private final SignsOfLife signs;
  private @Nullable Runnable whenLimited;

  /** The failure of the other end for which the connection was closed; null for none. */
  private volatile @Nullable String failing;

  private volatile boolean signDue;

  /** Since when the owners of references in one message are told; 0 while they are not. */
  private volatile long tellingSinceNanos;

  /** The number of calls that had come then. */
  private long toldCalls;

  /** Made with its connection, of parts that it has already. */
  ConnectionWatch(
      CallConnection connection,
      Introduction introduction,
      ReplyWait waiting,
      IncomingCall incomingCall) {
    this.connection = connection;
    this.waiting = waiting;
    this.incomingCall = incomingCall;
    patience = new Patience(connection.frameIn, connection.frameOut);
    signs =
        new SignsOfLife(
            connection.frameIn,
            connection.frameOut,
            introduction.givesSigns ? introduction.settings.keepAliveMillis : 0,
            introduction.wantsSignsMillis);
  }

  /** Looks at the connection's threads, for {@link #waitedNanos}. */
  public void look(long now) {
    patience.look(now);
    lookWhetherTelling(now);
  }

  private void lookWhetherTelling(long now) {
    long calls = connection.incoming.callsServed;
    if (connection.depth == 0 || !connection.in.isRegistering()) {
      tellingSinceNanos = 0;
    } else if (tellingSinceNanos == 0 || calls != toldCalls) {
      tellingSinceNanos = now | 1;
    }
    toldCalls = calls;
  }

  /**
   * For how long its other end has kept this one waiting, so that it may give way, in nanoseconds:
   * for a call or the rest of one, to take a reply, or because the thread does not get on that
   * reads a call or tells the owners of references in it, be that the other end itself, though it
   * gives signs of life. It is 0 while a call is executed, while this end calls back otherwise, and
   * if the other end only wants to notice its closing.
   */
  public long waitedNanos(long now) {
    CallInput in = connection.in;
    boolean served = connection.depth > 0;
    long stuck = served && !in.isArgumentsEnded() ? patience.stuckNanos(now) : 0;
    long since = tellingSinceNanos;
    if (served && since != 0 && in.isRegistering()) {
      stuck = now - since;
    }
    if (stuck > STUCK_NANOS) {
      return stuck;
    }
    boolean silent = connection.outgoing.isUnderWay() || incomingCall.isWatched();
    long waited = silent ? 0 : patience.waitedNanos(now);
    long least = patience.isReading() ? ConnectionLimit.LEAST_WAIT_NANOS : STUCK_NANOS;
    return waited >= least ? waited : 0;
  }

  /** Bytes of a long reply of which its caller has taken nothing for some time; else 0. */
  public long untakenBytes(long now, long millis) {
    long bytes = connection.frameOut.longReplyBytes();
    return bytes > 0 && !connection.isClosed() && patience.isWritingFor(now, millis) ? bytes : 0;
  }

  /** Ends the connection, as others need the memory of its reply. */
  public void giveUpReply(long bytes) {
    failing = "the heap is short, and a reply of " + bytes + " bytes is not taken";
    connection.close();
    ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", connection.peerName(), failing);
  }

  /**
   * Sets the action for the first deadline of a call: the connection must be checked soon from then
   * on.
   */
  public void tellLimits(Runnable wanted) {
    whenLimited = wanted;
  }

  /** Called when a call over it has a deadline, at either end. */
  void limited() {
    Runnable told = whenLimited;
    if (told != null) {
      told.run();
    }
  }

  /**
   * Gives up calls that have taken too long: one of this end, and one of the other end that is
   * executed here.
   *
   * @return whether other calls have a deadline
   */
  public boolean giveUpOverdue(long now) {
    if (waiting.takeOverdue(now)) {
      connection.close();
      return false;
    }
    return waiting.isLimited() | incomingCall.interruptOverdue(now);
  }

  /** Gives up a call whose caller was interrupted. */
  public void releaseInterrupted() {
    if (waiting.isToBeGivenUp()) {
      connection.close();
    }
  }

  /**
   * Closes the connection if its other end has not sent the next call or the rest of one for too
   * long, or has taken nothing of a reply.
   *
   * @return the setting that it has exceeded; null if it has not
   */
  public @Nullable String closeStalled(long now, ConnectionSettings settings) {
    lookWhetherTelling(now);
    String setting =
        patience.exceeded(
            now, connection.outgoing.isUnderWay(), incomingCall.isWatched(), settings);
    if (setting != null) {
      failing =
          "kept waiting for longer than " + setting + " allows"; // what is called back over it
      connection.close();
      ConnectionLog.LOG.log(
          System.Logger.Level.DEBUG,
          "{0} keeps this node waiting ({1})",
          connection.peerName(),
          setting);
    }
    return setting;
  }

  /**
   * Closes the connection if a call of this end waits, and the other end's process has shown no
   * sign of life for too long, or takes nothing of a request. The latter holds for peers that give
   * no signs of life, too.
   */
  public void closeSilent(long now, ConnectionSettings settings) {
    if (signs.isSilentTooLong(now, connection.outgoing.isUnderWay())) {
      fail("no sign of life for " + settings.keepAliveMillis + " ms (karmi.keepAlive)");
    } else if (connection.home != null
        && settings.keepAliveMillis > 0
        && patience.isWritingFor(now, settings.writeTimeoutMillis)) {
      fail("nothing taken for " + settings.writeTimeoutMillis + " ms (karmi.writeTimeout)");
    }
  }

  private void fail(String how) {
    fails(how);
    connection.close();
    ConnectionLog.LOG.log(
        System.Logger.Level.DEBUG,
        "{0} keeps a call of this node waiting: {1}",
        connection.peerName(),
        how);
  }

  /** Says why the connection is closed though a call of this end may wait. */
  void fails(String reason) {
    failing = reason;
  }

  /** Why it was closed while a call of this end waited; null if it was not. */
  @Nullable String failing() {
    return failing;
  }

  /** Whether the other end has to be told that a call is still executed. */
  public boolean isSignDue(long now) {
    signDue = signs.isDue(now, connection.incoming.callsServed, incomingCall.isInterruptible());
    return signDue;
  }

  /** The same, for the thread that sends the sign. */
  public boolean takeDueSign() {
    boolean due = signDue;
    signDue = false;
    return due;
  }

  /** Tells the other end that this one still executes a call, if it does. */
  public void giveSign() throws IOException {
    connection.frameOut.giveSign();
  }
}
