package io.karmi.exchange.remote;

import io.karmi.Karmi;
import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.Attempts;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Member;
import io.karmi.exchange.directory.Repeated;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.remote.MetadataServer.Registration;
import io.karmi.messaging.Address;
import io.karmi.rmi.Naming;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.lang.System.Logger.Level;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A server as a member sees it. A server that cannot be reached is waited for; one that has started
 * anew, or has taken this member for dead, is told everything again.
 */
final class ServerDirectory implements Directory {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  /** The longest that a server waits by itself for a key, in milliseconds. */
  private static final long MAXIMUM_WAIT_MILLIS = 10_000;

  private final String url;
  private final Address messaging;
  private final AtomicLong calls = new AtomicLong();

  /** Answers to reports that have not come, though what was reported may count. */
  private final AtomicInteger lostAnswers = new AtomicInteger();

  private final DroppedKeys droppedKeys = new DroppedKeys();

  private volatile Registration registration;

  /** That of {@link #registration}, or of one to which not all is told yet. */
  private volatile Joined joined;

  /* Set by begin(). */
  private volatile @Nullable Member member;
  private volatile long host;
  private volatile boolean closed;

  ServerDirectory(String url, Address messaging) throws IOException {
    this.url = url;
    this.messaging = messaging;
    registration = await(0, () -> register(0));
    joined = registration.joined();
  }

  /** Something that is asked of the server. */
  private interface Question<A extends @Nullable Object> {
    A ask() throws IOException, InterruptedException;
  }

  /** The same of this member's part of the server. */
  private interface Asked<A extends @Nullable Object> {
    A of(Membership membership) throws IOException, InterruptedException;
  }

  private Registration register(int before) throws IOException {
    try {
      if (Naming.lookup(url) instanceof MetadataServer server) {
        boolean keeps = !Settings.EXCHANGE_KEEP.is("false");
        return present(server.register(messaging, before, keeps));
      }
      throw new IllegalArgumentException(url + " is no server of an exchange space");
    } catch (NotBoundException e) {
      throw new ConnectException(url + " is not bound: is karmi-exchange running there?", e);
    }
  }

  /**
   * Asks again while the server cannot be reached, within the limit.
   *
   * @param waitMillis for which a server that can be reached may wait before it answers
   */
  private <A extends @Nullable Object> A await(long waitMillis, Question<A> question)
      throws IOException {
    Attempts attempts = new Attempts(url);
    long limit = Attempts.limitMillis() + waitMillis;
    while (true) {
      try {
        calls.incrementAndGet();
        return within(limit, question);
      } catch (ConnectException
          | ConnectIOException
          | MarshalException
          | UnmarshalException
          | NoSuchObjectException e) {
        if (isNoAnswer(e.getCause())) {
          throw noAnswer(String.valueOf(e.getCause()), e);
        }
        attempts.failed(e, closed);
      } catch (InterruptedException e) {
        throw Attempts.interrupted();
      }
    }
  }

  /** A server that runs, and does not answer, is given up as well. */
  private static <A extends @Nullable Object> A within(long millis, Question<A> question)
      throws IOException, InterruptedException {
    try {
      return Karmi.withDeadline(Duration.ofMillis(millis), question::ask);
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e); // none is declared
    }
  }

  /** Whether an answer has come as a whole, and is not what was asked for. */
  private static boolean isNoAnswer(@Nullable Throwable problem) {
    return problem instanceof InvalidObjectException
        || problem instanceof InvalidClassException
        || problem instanceof ClassNotFoundException;
  }

  private IOException noAnswer(String found, @Nullable Throwable cause) {
    return new IOException(
        "the answer of " + url + " is none of a directory of this version: " + found, cause);
  }

  /** The answer to a question to which nothing is none. */
  private <A> A present(@Nullable A answer) throws IOException {
    if (answer == null) {
      throw noAnswer("nothing", null);
    }
    return answer;
  }

  private <A extends @Nullable Object> A ask(long waitMillis, Asked<A> asked) throws IOException {
    return await(
        waitMillis,
        () -> {
          Registration known = registration;
          try {
            return ask(known.membership(), asked);
          } catch (NoSuchObjectException e) {
            joinAgain(known);
            return ask(registration.membership(), asked);
          }
        });
  }

  private <A extends @Nullable Object> A ask(Membership membership, Asked<A> asked)
      throws IOException, InterruptedException {
    try {
      return asked.of(membership);
    } catch (ServerException | ServerError e) {
      if (e.getCause() instanceof NoSuchObjectException ended) {
        throw ended; // while it was asked
      }
      throw new IOException(url + " refuses: " + reason(e), e);
    }
  }

  private static String reason(RemoteException problem) {
    return String.valueOf(problem.getCause() == null ? problem : problem.getCause().getMessage());
  }

  private synchronized void joinAgain(Registration lost) throws IOException, InterruptedException {
    Member reporting = member;
    if (registration != lost || reporting == null || closed) {
      return;
    }
    Registration fresh = register(lost.joined().generation());
    if (fresh.joined().space() != lost.joined().space()) {
      throw new IOException(url + " is the server of another space now");
    }
    joined = fresh.joined(); // who is told of this member knows the server's secret
    LOG.log(Level.INFO, "{0} has started anew, or has lost this member: it is told again", url);
    ask(fresh.membership(), membership -> tellAll(membership, reporting));
    registration = fresh;
  }

  private Report.Answer tellAll(Membership membership, Member reporting)
      throws IOException, InterruptedException {
    membership.begin(host, droppedKeys.all());
    Report.Answer answer = membership.update(reporting.everything());
    for (Map.Entry<String, Member.Bound> each : reporting.bound().entrySet()) {
      bindAgain(membership, reporting, each.getKey(), each.getValue());
    }
    return answer;
  }

  private void bindAgain(Membership membership, Member reporting, String key, Member.Bound bound)
      throws IOException, InterruptedException {
    try {
      hear(membership, membership.bind(key, bound.group(), false, bound.order(), Report.EMPTY));
    } catch (KeyTakenException e) {
      LOG.log(Level.DEBUG, "another member has bound it since", e);
      reporting.unbound(bound.group());
    }
  }

  @Override
  public Joined joined() {
    return joined;
  }

  @Override
  public void begin(Member reporting, long ofHost) throws IOException {
    host = ofHost;
    member = reporting;
    ask(
        0,
        membership -> {
          membership.begin(ofHost);
          return Report.EMPTY;
        });
  }

  /** Something that is asked with a report. */
  private interface Reporting {
    Report.Answer of(Membership membership, Report changes)
        throws IOException, InterruptedException;
  }

  /**
   * Reports. An answer may be lost on its way: then the report is made again, but counts no read a
   * second time, and the host is to be looked through for what the answer has told.
   */
  private Report.Answer report(long waitMillis, Repeated left, Reporting asked) throws IOException {
    Report.Answer answer =
        present(
            ask(
                waitMillis,
                membership -> {
                  boolean mayCount = true;
                  try {
                    return hear(membership, asked.of(membership, left.left()));
                  } catch (ConnectException
                      | ConnectIOException
                      | MarshalException
                      | NoSuchObjectException e) {
                    mayCount = false; // it has not arrived
                    throw e;
                  } catch (UnmarshalException e) {
                    lostAnswers.incrementAndGet();
                    throw e;
                  } finally {
                    if (mayCount) {
                      left.readsMayCount();
                    }
                  }
                }));
    int departed = answer.departed() + lostAnswers.get();
    return new Report.Answer(
        answer.free(),
        answer.unbound(),
        answer.dropped(),
        answer.droppedKeys(),
        departed,
        answer.order());
  }

  /**
   * Takes what an answer tells of keys and of stored groups; the server tells it again until it
   * knows of that.
   */
  private Report.Answer hear(Membership membership, Report.Answer answer) {
    Member told = member;
    if (told != null && answer != null && answer.isToBeHeard()) {
      told.unbound(answer.unbound());
      droppedKeys.add(answer.droppedKeys());
      try {
        membership.heard(answer.unbound(), told.dropped(answer.dropped()), answer.lastDroppedKey());
      } catch (RemoteException e) {
        LOG.log(Level.DEBUG, "the next answer tells it again", e);
      }
    }
    return answer;
  }

  @Override
  public Report.Answer update(Repeated changes) throws IOException {
    return report(0, changes, Membership::update);
  }

  @Override
  public Report.Answer bind(String key, GroupAddress group, boolean replace, Repeated changes)
      throws IOException {
    return report(
        MAXIMUM_WAIT_MILLIS,
        changes,
        (membership, left) -> membership.bind(key, group, replace, 0, left));
  }

  @Override
  @SuppressWarnings("NullAway") // the answer may be null
  public @Nullable Found lookup(String key, long waitMillis) throws IOException {
    return ask(MAXIMUM_WAIT_MILLIS, membership -> membership.lookup(key, waitMillis));
  }

  @Override
  public Address[] holders(GroupAddress group) throws IOException {
    return present(ask(MAXIMUM_WAIT_MILLIS, membership -> membership.holders(group)));
  }

  @Override
  public long calls() {
    return calls.get();
  }

  @Override
  public Report.Answer leave(Report last) throws IOException {
    closed = true;
    return present(
        ask(
            0,
            membership -> {
              Report.Answer answer = membership.update(last);
              membership.leave();
              return answer;
            }));
  }
}
