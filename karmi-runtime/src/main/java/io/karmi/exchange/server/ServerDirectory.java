package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.Attempts;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Member;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.server.MetadataServer.Registration;
import io.karmi.messaging.Address;
import io.karmi.rmi.Naming;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A server as a member sees it. A server that cannot be reached is waited for; one that has started
 * anew, or has taken this member for dead, is told everything again.
 */
final class ServerDirectory implements Directory {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  private final String url;
  private final Address messaging;
  private final AtomicLong calls = new AtomicLong();
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
    registration = await(() -> register(0));
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
        return server.register(messaging, before, keeps);
      }
      throw new IllegalArgumentException(url + " is no server of an exchange space");
    } catch (NotBoundException e) {
      throw new ConnectException(url + " is not bound: is karmi-exchange running there?", e);
    }
  }

  /** Asks again while the server cannot be reached, within the limit. */
  private <A extends @Nullable Object> A await(Question<A> question) throws IOException {
    Attempts attempts = new Attempts(url);
    while (true) {
      try {
        calls.incrementAndGet();
        return question.ask();
      } catch (ConnectException
          | ConnectIOException
          | MarshalException
          | UnmarshalException
          | NoSuchObjectException e) {
        attempts.failed(e, closed);
      } catch (InterruptedException e) {
        throw Attempts.interrupted();
      }
    }
  }

  private <A extends @Nullable Object> A ask(Asked<A> asked) throws IOException {
    return await(
        () -> {
          Registration known = registration;
          try {
            return asked.of(known.membership());
          } catch (NoSuchObjectException e) {
            joinAgain(known);
            return asked.of(registration.membership());
          } catch (ServerException e) {
            throw new IOException(url + " refuses: " + reason(e), e);
          }
        });
  }

  private static String reason(RemoteException problem) {
    return String.valueOf(problem.getCause() == null ? problem : problem.getCause().getMessage());
  }

  private synchronized void joinAgain(Registration lost) throws IOException {
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
    fresh.membership().begin(host);
    fresh.membership().update(reporting.everything());
    for (Map.Entry<String, Member.Bound> each : reporting.bound().entrySet()) {
      bindAgain(fresh.membership(), each.getKey(), each.getValue());
    }
    registration = fresh;
  }

  private static void bindAgain(Membership membership, String key, Member.Bound bound)
      throws IOException {
    try {
      membership.bind(key, bound.group(), false, bound.order(), Report.EMPTY);
    } catch (KeyTakenException e) {
      LOG.log(Level.DEBUG, "another member has bound it since", e);
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
        membership -> {
          membership.begin(ofHost);
          return Report.EMPTY;
        });
  }

  @Override
  public Report.Answer update(Report changes) throws IOException {
    return ask(membership -> membership.update(changes));
  }

  @Override
  public Report.Answer bind(String key, GroupAddress group, boolean replace, Report changes)
      throws IOException {
    return ask(membership -> membership.bind(key, group, replace, 0, changes));
  }

  @Override
  @SuppressWarnings("NullAway") // the answer may be null
  public @Nullable Found lookup(String key, long waitMillis) throws IOException {
    return ask(membership -> membership.lookup(key, waitMillis));
  }

  @Override
  public Address[] holders(GroupAddress group) throws IOException {
    return ask(membership -> membership.holders(group));
  }

  @Override
  public long calls() {
    return calls.get();
  }

  @Override
  public Report.Answer leave(Report last) throws IOException {
    closed = true;
    return ask(
        membership -> {
          Report.Answer answer = membership.update(last);
          membership.leave();
          return answer;
        });
  }
}
