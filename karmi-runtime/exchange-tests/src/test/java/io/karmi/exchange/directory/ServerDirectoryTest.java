package io.karmi.exchange.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.remote.Membership;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.exchange.remote.ServerDirectories;
import io.karmi.exchange.server.ExchangeServer;
import io.karmi.exchange.server.FirstServer;
import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.messaging.Address;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.Naming;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.EOFException;
import java.io.IOException;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.rmi.registry.Registry;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** The directory that comes with KaRMI. */
public class ServerDirectoryTest extends DirectoryContract {
  private final int port = FreePort.any();
  private ExchangeServer server;
  private String url;

  /* Of a server whose answers may be lost; null where there is none. */
  private @Nullable Registry registry;
  private @Nullable Remote lossy;

  /** Gets a port. */
  public ServerDirectoryTest() throws Exception {}

  @Before
  public void start() throws Exception {
    server = FirstServer.start(port);
    url = "//localhost:" + port + "/exchange";
  }

  @After
  @Override
  public void leaveAll() throws Exception {
    super.leaveAll();
    if (lossy != null) {
      UnicastRemoteObject.unexportObject(lossy, true);
      UnicastRemoteObject.unexportObject(registry, true);
      lossy = null;
    }
    server.close();
  }

  /** Else an address could name two groups, one of each server. */
  @Test
  public void serversThatFollowEachOtherAtOnceHaveDifferentGenerations() throws Exception {
    Set<Integer> generations = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      generations.add(member(10).directory.joined().generation());
      leaveAll();
      start();
    }
    assertThat(generations).hasSize(3);
  }

  @Test
  public void membersThatHaveNothingToReportDoNotEndWithShortLeases() throws Exception {
    server.close();
    System.setProperty("java.rmi.dgc.leaseValue", "500");
    try {
      start();
    } finally {
      System.clearProperty("java.rmi.dgc.leaseValue");
    }
    FakeMember quiet = member(10);
    quiet.hold(quiet.group(1));
    FakeMember other = member(20);
    long end = System.nanoTime() + Duration.ofMillis(Directory.QUIET_MILLIS).toNanos();
    while (end - System.nanoTime() > 0) {
      other.tell(Report.EMPTY); // at which the server looks for members that are silent
      Thread.sleep(100);
    }
    assertThat(server.stats()).containsEntry("members", 2L).containsEntry("groups", 1L);
  }

  @Test
  public void reportsThatLackSomethingChangeNothing() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    b.hold(b.group(1));
    a.bind("key", a.group(1), false);
    GroupAddress[] groups = {a.group(2)};
    Report.Dependency[] added = {new Report.Dependency(a.group(2), groups)};
    List<Report> lacking =
        List.of(
            FakeMember.report(groups, 0, new GroupAddress[0]),
            FakeMember.report(new GroupAddress[0], 0, groups),
            new Report(
                new GroupAddress[0], new int[0], new GroupAddress[0], groups, added, groups));
    groups[0] = null;
    for (Report each : lacking) {
      assertThatThrownBy(() -> a.directory.update(new Repeated(each)))
          .isInstanceOf(IOException.class);
    }
    assertThat(server.stats()).containsEntry("groups", 2L);
    leave(a, Report.EMPTY);
    assertThat(server.stats()).containsEntry("groups", 1L).containsEntry("members", 1L);
  }

  /** Its read is not counted twice, and what its answer has told is looked for. */
  @Test
  public void reportsWhoseAnswerIsLostAreMadeAgain() throws Exception {
    FakeMember a = member(10);
    GroupAddress group = a.group(1);
    a.keep(2, group);
    FakeMember b = lossyMember();
    int departed = b.directory.update(new Repeated(Report.EMPTY)).departed();
    LossyMembership.losesNext = true;
    b.read(group);
    assertThat(LossyMembership.losesNext).isFalse();
    assertThat(b.directory.update(new Repeated(Report.EMPTY)).departed()).isEqualTo(departed + 1);
    assertThat(a.isToldOf(group)).as("one read is left").isFalse();
    b.read(group);
    Deadline.await("no read is left", () -> a.isToldOf(group));
  }

  /** Its caller reports again what is left of it. */
  @Test
  public void readsOfAReportThatIsGivenUpAreNotCountedTwice() throws Exception {
    FakeMember a = member(10);
    GroupAddress[] groups = {a.group(1)};
    GroupAddress[] none = {};
    a.keep(3, groups);
    FakeMember b = lossyMember();
    Report read = new Report(none, new int[0], none, groups, new Report.Dependency[0], none);
    Repeated answered = new Repeated(read);
    b.directory.update(answered);
    b.directory.update(new Repeated(answered.left()));
    Repeated lost = new Repeated(read);
    LossyMembership.losesAll = true;
    System.setProperty("karmi.internal.exchangeTimeout", "2000");
    try {
      assertThatThrownBy(() -> b.directory.update(lost)).isInstanceOf(IOException.class);
    } finally {
      System.clearProperty("karmi.internal.exchangeTimeout");
      LossyMembership.losesAll = false;
    }
    b.directory.update(new Repeated(lost.left()));
    assertThat(a.isToldOf(groups[0])).as("one read is left").isFalse();
    b.directory.update(new Repeated(read));
    Deadline.await("no read is left", () -> a.isToldOf(groups[0]));
  }

  /** It joins again, as one whose end it learns of when it asks. */
  @Test
  public void membersThatEndWhileTheyWaitForAnAnswerAskAgain() throws Exception {
    FakeMember a = member(10);
    FakeMember b = lossyMember();
    MetadataServer real = (MetadataServer) Naming.lookup("//localhost:" + port + "/exchange");
    real.register(Address.at("localhost", port), 1, false); // has known an earlier server
    FutureTask<Boolean> bind =
        new FutureTask<>(
            () -> {
              b.bind("key", b.group(1), false);
              return true;
            });
    new Thread(bind, "binds").start();
    Deadline.await("it waits for who has bound the key before", () -> isWaiting("awaitEarlier"));
    Objects.requireNonNull(LossyMembership.last).leave();
    a.bind("key", a.group(1), true);
    assertThatThrownBy(bind::get).hasCauseInstanceOf(KeyTakenException.class);
  }

  /** Else its member would bind it again after a restart of the server. */
  @Test
  public void keysOfWhichALostAnswerHasToldAreForgotten() throws Exception {
    FakeMember a = member(10);
    FakeMember b = lossyMember();
    b.bind("key", b.group(1), false);
    a.bind("key", a.group(1), true);
    LossyMembership.losesNext = true;
    b.tell(Report.EMPTY);
    assertThat(LossyMembership.losesNext).isFalse();
    assertThat(b.bound()).isEmpty();
  }

  /** It was told of none of that. */
  @Test
  public void membersThatJoinAgainForgetKeysThatOthersHaveReplaced() throws Exception {
    FakeMember a = member(10);
    FakeMember b = lossyMember();
    b.bind("key", b.group(1), false);
    b.bind("other", b.group(2), false);
    Objects.requireNonNull(LossyMembership.last).leave();
    a.bind("key", a.group(1), true);
    b.tell(Report.EMPTY);
    assertThat(b.bound()).containsOnlyKeys("other");
    assertThat(a.directory.lookup("other", 0)).isNotNull();
  }

  private static boolean isWaiting(String method) {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(each -> each.getMethodName().equals(method));
  }

  /** A member of a server whose answers may be lost. */
  private FakeMember lossyMember() throws Exception {
    int lossyPort = FreePort.any();
    registry = LocateRegistry.createRegistry(lossyPort);
    lossy = new Lossy((MetadataServer) Naming.lookup(url));
    registry.rebind("exchange", UnicastRemoteObject.exportObject(lossy, 0));
    url = "//localhost:" + lossyPort + "/exchange";
    return member(20);
  }

  /** A server whose members lose answers. */
  private record Lossy(MetadataServer real) implements MetadataServer {
    @Override
    public Registration register(Address messaging, int before, boolean keeps)
        throws RemoteException {
      Registration taken = real.register(messaging, before, keeps);
      LossyMembership.last = taken.membership();
      return new Registration(new LossyMembership(taken.membership()), taken.joined());
    }

    @Override
    public String[] list(int most) throws RemoteException {
      return real.list(most);
    }

    @Override
    public Map<String, Long> stats() throws RemoteException {
      return real.stats();
    }

    @Override
    public boolean drop(String keyOrAddress) throws RemoteException {
      return real.drop(keyOrAddress);
    }
  }

  /** Comes by value, and loses the answer to a report. */
  private record LossyMembership(Membership real) implements Membership, Serializable {
    private static volatile boolean losesNext;
    private static volatile boolean losesAll;

    /** Of the last one that was taken in. */
    private static volatile @Nullable Membership last;

    @Override
    public void begin(long host, DroppedKey... dropped) throws RemoteException {
      real.begin(host, dropped);
    }

    @Override
    public Report.Answer update(Report changes) throws RemoteException {
      Report.Answer answer = real.update(changes);
      if (losesNext || losesAll) {
        losesNext = false;
        throw new UnmarshalException("the connection was closed", new EOFException());
      }
      return answer;
    }

    @Override
    public Report.Answer bind(
        String key, GroupAddress group, boolean replace, long order, Report changes)
        throws RemoteException, KeyTakenException, InterruptedException {
      return real.bind(key, group, replace, order, changes);
    }

    @Override
    public void heard(GroupAddress[] unbound, GroupAddress[] dropped, int droppedKeys)
        throws RemoteException {
      real.heard(unbound, dropped, droppedKeys);
    }

    @Override
    public @Nullable Found lookup(String key, long waitMillis)
        throws RemoteException, InterruptedException {
      return real.lookup(key, waitMillis);
    }

    @Override
    public Address[] holders(GroupAddress group) throws RemoteException, InterruptedException {
      return real.holders(group);
    }

    @Override
    public void leave() throws RemoteException {
      real.leave();
    }
  }

  @Override
  protected Directory join(Address messaging) throws Exception {
    return new ServerDirectories().join(url, messaging);
  }
}
