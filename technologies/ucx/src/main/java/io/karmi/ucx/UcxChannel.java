package io.karmi.ucx;

import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.ring.SpinLimit;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection over a link of UCX.
 *
 * <p>The thread that waits does the network's work: it spins for a short time, and then waits in
 * UCX, outside the lock. Only one thread waits there. If one thread sends while another receives,
 * the other one waits for it. UCX reports neither the end of the other process nor that of a time
 * limit; the {@link SideWatch} does.
 */
final class UcxChannel extends NodeChannel {
  /** Time limit, in milliseconds, up to which the watch is not needed. */
  private static final int SHORT_MILLIS = 20;

  /**
   * Time, in nanoseconds, for which an end spins before it waits in UCX, unless {@code
   * karmi.spinMicros} is set.
   */
  private static final long SPIN_NANOS = 20_000;

  private static final String GONE = "the other process has ended or closed the connection";

  private static final long PAUSE_NANOS = 50_000;

  /** Nanoseconds for which messages of the other end may be on their way after it has gone. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Nanoseconds for which closing waits at most for data that is still to be sent. */
  private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition leaderLeft = lock.newCondition();
  private final UcxLink link;
  private final SideChannel side;
  private final SideWatch watch;
  private final SpinLimit spinning;
  private final SpinLimit.Look look = new LookForWork();
  private final String peerName;
  private final @Nullable Object host;

  /** Whether a thread waits in UCX; guarded by the lock, as the next is. */
  private boolean led;

  private int followers;
  private volatile boolean closed;
  private volatile boolean inputEnded;

  /** Time at which the waiting thread is to be woken; 0 for never. */
  private volatile long wakeAtNanos;

  /**
   * @param host the host of the {@link io.karmi.connection.channel.ChannelArrival}; null if this
   *     node has opened it
   */
  UcxChannel(
      Introduction introduction,
      UcxLink link,
      SideChannel side,
      SideWatch watch,
      String peerName,
      @Nullable Object host) {
    super(introduction);
    this.link = link;
    this.side = side;
    this.watch = watch;
    this.peerName = peerName;
    this.host = host;
    spinning = new SpinLimit(introduction.spinNanos(SPIN_NANOS));
  }

  @Override
  public int receive(byte[] to, int offset, int length) throws IOException {
    lock.lock();
    try {
      long end = timeoutMillis == 0 ? 0 : deadline(timeoutMillis * 1_000_000L);
      long late = 0;
      while (true) {
        checkOpen();
        int count = link.read(to, offset, length);
        link.allowMore();
        if (count > 0) {
          return count;
        }
        if (inputEnded) {
          return -1;
        }
        boolean over = side.isOver();
        if (!progress() && (over || !spin(end))) {
          if (over && link.received() >= side.lastMessage()) {
            return -1;
          }
          if (late == 0 && (over || link.failure() != null)) {
            late = deadline(LATE_NANOS);
          }
          if (late != 0 && System.nanoTime() - late > 0) {
            throw lost();
          }
          await(late != 0, end);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private static long deadline(long nanos) {
    return System.nanoTime() + nanos | 1;
  }

  /**
   * The exception of a lost connection. A report of UCX may come before the end of the other
   * process, which then is the reason.
   */
  private IOException lost() {
    return side.isOver()
        ? new EOFException(GONE + "; the last of what it has sent did not arrive")
        : new IOException("UCX does not reach " + peerName + " any more: " + link.failure());
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    String violation = link.violation();
    if (violation != null) {
      throw new IOException(peerName + " does not keep to the protocol: " + violation);
    }
  }

  /** Does work of the network; data that came may be for another thread, too. */
  private boolean progress() throws IOException {
    boolean done = link.progress();
    if (done && led) {
      link.wake();
    }
    return done;
  }

  /**
   * Looks for work as long as that may pay.
   *
   * @param limit of the time; 0 for none
   */
  private boolean spin(long limit) throws IOException {
    long most = limit == 0 ? Long.MAX_VALUE : limit - System.nanoTime();
    return !led && spinning.spin(look, most);
  }

  /**
   * Waits until there may be something to do.
   *
   * @param soon whether the awaited event may not wake this thread
   * @param end of the time; 0 for none
   * @throws SocketTimeoutException if the time is over
   */
  private void await(boolean soon, long end) throws IOException {
    long left = end == 0 ? Long.MAX_VALUE : end - System.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException("Read timed out after " + timeoutMillis + " ms");
    }
    if (soon || left < SHORT_MILLIS * 1_000_000L) {
      pause();
    } else if (end == 0) {
      awaitWork();
    } else {
      wakeAtNanos = end;
      watch.limit(this);
      try {
        awaitWork();
      } finally {
        wakeAtNanos = 0;
        watch.unlimit(this);
      }
    }
  }

  private void pause() {
    lock.unlock();
    boolean interrupted = Thread.interrupted(); // would not let it pause
    try {
      LockSupport.parkNanos(PAUSE_NANOS);
    } finally {
      lock.lock();
      if (interrupted | Thread.interrupted()) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void awaitWork() {
    if (led) {
      followers++;
      leaderLeft.awaitUninterruptibly();
      followers--;
      return;
    }
    led = true;
    lock.unlock();
    try {
      link.awaitEvents();
    } finally {
      lock.lock();
      led = false;
      if (followers > 0) {
        leaderLeft.signalAll();
      }
      if (closed) {
        link.close();
      }
    }
  }

  @Override
  public void send(byte[] from, int offset, int length) throws IOException {
    lock.lock();
    try {
      int done = 0;
      while (done < length) {
        checkSendable();
        int count = link.send(from, offset + done, length - done);
        done += count;
        if (count == 0 && !progress() && !spin(0)) {
          await(false, 0);
        }
      }
      awaitSent();
    } finally {
      lock.unlock();
    }
  }

  private void checkSendable() throws IOException {
    checkOpen();
    if (side.isOver() || link.failure() != null) {
      throw new EOFException(GONE + (link.failure() == null ? "" : ": " + link.failure()));
    }
  }

  /**
   * Does the network's work until all that was handed over has left. If the connection ends
   * meanwhile the other end may have got it: only the receiver can tell.
   */
  private void awaitSent() throws IOException {
    while (!closed && !side.isOver() && link.isSound() && !link.isSent()) {
      if (!progress() && !spin(0)) {
        awaitWork();
      }
    }
  }

  @Override
  public boolean offer(byte[] from, int offset, int length) throws IOException {
    lock.lock();
    try {
      checkSendable();
      progress();
      if (!link.hasRoom(length)) {
        return false;
      }
      boolean sent = link.send(from, offset, length) == length;
      progress();
      return sent;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean endInput() {
    inputEnded = true;
    wakeWaiting();
    return true;
  }

  /**
   * UCX takes bytes for a process that has ended, but the end of the TCP connection shows it at
   * once.
   */
  @Override
  public void sendAfterPause(byte[] from, int offset, int length, int headBytes)
      throws IOException {
    if (side.look()) {
      throw new EOFException(GONE);
    }
    send(from, offset, length);
  }

  /**
   * Checks the TCP connection; called by the watch.
   *
   * @return whether that has ended
   */
  boolean lookAside() {
    boolean over = side.look();
    if (over) {
      wakeWaiting();
    }
    return over;
  }

  /** Called by the watch. */
  void wakeIfOverdue(long now) {
    long at = wakeAtNanos;
    if (at != 0 && now - at >= 0) {
      wakeWaiting();
    }
  }

  private void wakeWaiting() {
    lock.lock();
    try {
      if (led) {
        link.wake();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void expectSilence() {
    side.expectSilence();
  }

  @Override
  public String peerName() {
    return peerName;
  }

  @Override
  public @Nullable Object host() {
    return host;
  }

  @Override
  protected void closeChannel() throws IOException {
    boolean first = !closed;
    closed = true; // ends what other threads do with the lock
    lock.lock();
    try {
      if (first && !side.isOver() && link.failure() == null) {
        sayGoodbye();
      }
      if (led) {
        link.wake(); // the thread there closes the link
      } else {
        link.close();
      }
    } finally {
      lock.unlock();
      side.close();
      watch.wake();
    }
  }

  private final class LookForWork implements SpinLimit.Look {
    @Override
    public boolean came() throws IOException {
      return link.progress();
    }

    @Override
    public boolean isInVain() {
      return closed || side.isOver() || lock.hasQueuedThreads();
    }
  }

  private void sayGoodbye() {
    try {
      if (duplex || link.isUnanswered()) {
        link.flush(FLUSH_NANOS);
      }
      side.tellLast(link.sent());
    } catch (IOException e) {
      Ucx.LOG.log(System.Logger.Level.DEBUG, "the connection ends without a word", e);
    }
  }
}
