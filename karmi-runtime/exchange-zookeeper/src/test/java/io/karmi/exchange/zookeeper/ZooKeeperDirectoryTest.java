package io.karmi.exchange.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.DirectoryContract;
import io.karmi.exchange.directory.FakeMember;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Member;
import io.karmi.exchange.directory.Repeated;
import io.karmi.exchange.directory.Report;
import io.karmi.kit.Deadline;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** The directory in ZooKeeper, with one server. */
public class ZooKeeperDirectoryTest extends DirectoryContract {
  private static final AtomicInteger SPACES = new AtomicInteger();

  /** What the release of a group that refers to another one asks. */
  private static final int QUESTIONS = 9;

  private static TestingServer server;

  private final String root = "/some/space-" + SPACES.incrementAndGet();
  private String servers = server.getConnectString();

  @BeforeClass
  public static void startServer() throws Exception {
    System.setProperty("zookeeper.forceSync", "no");
    server = new TestingServer(true);
  }

  @AfterClass
  public static void stopServer() throws Exception {
    server.close();
    System.clearProperty("zookeeper.forceSync");
  }

  @Override
  protected Directory join(Address messaging) throws Exception {
    return new ZooKeeperDirectories().join("zookeeper://" + servers + root, messaging);
  }

  /** Does something to the nodes as another client of ZooKeeper. */
  private interface Meddling {
    void with(ZooKeeper other) throws Exception;
  }

  private void meddle(Meddling meddling) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper other =
        new ZooKeeper(
            server.getConnectString(),
            20_000,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    try {
      assertThat(connected.await(30, TimeUnit.SECONDS)).isTrue();
      meddling.with(other);
    } finally {
      other.close();
    }
  }

  private static void create(ZooKeeper other, String path, byte... data) throws Exception {
    other.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  @Test
  public void memberWhoseSessionHasEndedTellsAllAgain() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    GroupAddress group = a.group(1);
    a.hold(group);
    a.bind("key", a.group(2), false);
    int before = a.directory.joined().member();
    endSession((ZooKeeperDirectory) a.directory);
    Deadline.await(
        "it has joined again",
        () -> {
          a.tell(Report.EMPTY);
          return a.directory.joined().member() != before;
        });
    assertThat(a.directory.joined().space()).isEqualTo(b.directory.joined().space());
    for (int i = 0; i < 3; i++) { // the first member has looked for what the old session has left
      a.tell(Report.EMPTY);
      b.tell(Report.EMPTY);
    }
    assertThat(b.directory.holders(group)).hasSize(1);
    assertThat(b.files(group)).isEmpty();
    assertThat(b.directory.lookup("key", 0).group().sequence()).isEqualTo(2);
    a.release(group);
    Deadline.await("it has ended", () -> b.files(group).length == 1);
  }

  @Test
  public void membersForgetKeysThatWereReplacedAfterTheirSessionOrDropped() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    Nodes nodes = new Nodes(root);
    for (String each : List.of("dropped", "kept", "replaced")) {
      a.bind(each, a.group(each.length()), false);
      a.release(a.group(each.length()));
    }
    a.tell(Report.EMPTY);
    GroupAddress dropped = a.group("dropped".length());
    meddle(
        other -> {
          other.delete(nodes.key("dropped"), -1);
          other.delete(nodes.child(dropped, Nodes.boundTo("dropped")), -1);
        });
    awaitEnd(a, a, dropped);
    assertThat(a.bound()).containsOnlyKeys("kept", "replaced");
    int before = a.directory.joined().member();
    endSession((ZooKeeperDirectory) a.directory);
    b.bind("replaced", b.group(1), true);
    Deadline.await(
        "it has joined again",
        () -> {
          a.tell(Report.EMPTY);
          return a.directory.joined().member() != before;
        });
    assertThat(a.bound()).containsOnlyKeys("kept");
    assertThat(b.directory.lookup("dropped", 0)).isNull();
  }

  @Test
  public void groupsThatAreHeldAgainAfterTheEndOfASessionHaveNotEnded() throws Exception {
    FakeMember first = member(20); // looks for what others have left
    FakeMember a = member(10);
    FakeMember neighbour = member(10);
    GroupAddress group = a.group(1);
    GroupAddress other = a.group(2);
    a.hold(group, other);
    a.held.remove(other);
    endSession((ZooKeeperDirectory) a.directory);
    Deadline.await(
        "they have ended",
        () -> {
          first.tell(Report.EMPTY);
          return first.files(group, other).length == 2;
        });
    Deadline.await("it is told of what it holds no more", () -> a.isToldOf(other));
    assertThat(a.isToldOf(group)).isFalse();
    assertThat(neighbour.files(group)).isEmpty();
  }

  @Test
  public void whatEndsWhileAMemberJoinsAgainIsToldBehindWhatThereWas() throws Exception {
    FakeMember other = member(20);
    ExecutorService threads = Executors.newCachedThreadPool();
    Directory directory = join(Messaging.ofThisNode().address());
    try {
      AtomicReference<GroupAddress> group = new AtomicReference<>();
      AtomicReference<Future<?>> end = new AtomicReference<>();
      directory.begin(
          new Member() {
            @Override
            public Report everything() {
              Report all = holding(group.get());
              Report less = releasing(group.get());
              end.set(threads.submit(() -> directory.update(new Repeated(less))));
              try {
                end.get().get(1, TimeUnit.SECONDS);
              } catch (Exception e) {
                return all; // it waits
              }
              return all;
            }

            @Override
            public Map<String, Bound> bound() {
              return Map.of();
            }

            @Override
            public void unbound(GroupAddress... groups) {}

            @Override
            public GroupAddress[] dropped(GroupAddress... groups) {
              return groups;
            }
          },
          10);
      Joined joined = directory.joined();
      group.set(new GroupAddress(joined.member(), 1, joined.generation()));
      directory.update(new Repeated(holding(group.get())));
      other.hold(group.get());
      endSession((ZooKeeperDirectory) directory);
      Deadline.await(
          "it joins again",
          () -> {
            directory.update(new Repeated(Report.EMPTY));
            return end.get() != null;
          });
      end.get().get(60, TimeUnit.SECONDS);
      Nodes nodes = new Nodes(root);
      String holder = Nodes.holder(directory.joined().member());
      meddle(any -> assertThat(any.exists(nodes.child(group.get(), holder), false)).isNull());
    } finally {
      threads.shutdownNow();
      directory.leave(Report.EMPTY);
    }
  }

  /** Curator begins another session when it has had no connection for long. */
  @Test
  public void nothingIsChangedInAnotherSessionThanTheMembers() throws Exception {
    FakeMember a = member(10);
    a.hold(a.group(1));
    Nodes nodes = new Nodes(root);
    Store store = ((ZooKeeperDirectory) a.directory).store();
    String name = Store.await(store.children(nodes.members(), null), 60_000).get(0);
    Members.Living none = new Members.Living(new TreeMap<>());
    Turn other = new Turn(store, nodes, nodes.member(name), 1, 10, none, new Unfinished());
    assertThatThrownBy(() -> Store.await(other.hold(a.group(2), true), 60_000))
        .isInstanceOf(MembershipLostException.class);
    assertThat(Store.await(store.exists(nodes.group(a.group(2)), null), 60_000)).isFalse();
  }

  @Test
  public void whatCouldNotBeToldWhenAMemberJoinedAgainIsToldLater() throws Exception {
    FakeMember a = member(10);
    GroupAddress group = a.group(1);
    a.hold(group);
    a.held.put(null, 0); // of which no report can be made
    endSession((ZooKeeperDirectory) a.directory);
    Deadline.await(
        "it fails to join again",
        () -> {
          try {
            a.tell(Report.EMPTY);
            return false;
          } catch (RuntimeException e) {
            return true;
          }
        });
    a.held.remove(null);
    a.tell(Report.EMPTY);
    String holder = Nodes.holder(a.directory.joined().member());
    Nodes nodes = new Nodes(root);
    meddle(any -> assertThat(any.exists(nodes.child(group, holder), false)).isNotNull());
  }

  private static Report holding(GroupAddress... groups) {
    GroupAddress[] none = {};
    int[] reads = new int[groups.length];
    return new Report(groups, reads, none, none, new Report.Dependency[0], groups);
  }

  private static Report releasing(GroupAddress... groups) {
    GroupAddress[] none = {};
    return new Report(none, new int[0], groups, none, new Report.Dependency[0], none);
  }

  private static void endSession(ZooKeeperDirectory directory) throws Exception {
    ZooKeeper session = directory.store().session();
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper same =
        new ZooKeeper(
            server.getConnectString(),
            20_000,
            event -> connected.countDown(),
            session.getSessionId(),
            session.getSessionPasswd());
    assertThat(connected.await(30, TimeUnit.SECONDS)).isTrue();
    same.close();
  }

  @Test
  public void whatALostAnswerInterruptsIsDone() throws Exception {
    FakeMember other = member(20);
    List<LossyProxy> proxies = new ArrayList<>();
    List<CompletableFuture<?>> releases = new ArrayList<>();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int i = 1; i <= QUESTIONS; i++) {
        int question = i;
        LossyProxy proxy = new LossyProxy(server.getPort());
        proxies.add(proxy);
        servers = proxy.address();
        FakeMember member = member(100 + question);
        GroupAddress group = member.group(1);
        GroupAddress referred = member.group(2);
        member.hold(group, referred);
        member.refer(group, referred);
        other.files(group, referred);
        member.release(referred);
        Callable<?> release =
            () -> {
              proxy.loseAnswer(question);
              member.release(group);
              awaitEnd(other, member, group, referred);
              assertThat(proxy.hasLost()).isTrue();
              return null;
            };
        releases.add(CompletableFuture.runAsync(() -> run(release), threads));
      }
      CompletableFuture.allOf(releases.toArray(new CompletableFuture<?>[0])).join();
      leaveAll();
    } finally {
      threads.shutdownNow();
      for (LossyProxy each : proxies) {
        each.close();
      }
    }
  }

  private static void run(Callable<?> work) {
    try {
      work.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Both hosts are told to remove the files. */
  private static void awaitEnd(FakeMember one, FakeMember other, GroupAddress... groups)
      throws Exception {
    for (GroupAddress each : groups) {
      Deadline.await("a host is told of " + each, () -> one.isToldOf(each));
      Deadline.await("the other one is told of " + each, () -> other.isToldOf(each));
    }
  }

  @Test
  public void whatOthersWriteIntoNodesIsAClaim() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    GroupAddress group = a.group(1);
    a.hold(group);
    a.bind("key", a.group(2), false);
    a.bind("other", a.group(3), false);
    Nodes nodes = new Nodes(root);
    byte[] junk = {1, 2, 3};
    meddle(
        other -> {
          create(other, nodes.newMember() + "0000000500", junk);
          create(other, nodes.newMember() + "9999999999", junk);
          create(other, nodes.newMember() + "0000000501", arrayInPlaceOfAnAddress());
          create(other, nodes.members() + "/else", junk);
          create(other, nodes.child(group, "n"), junk);
          create(other, nodes.child(group, "r0"), junk);
          create(other, nodes.child(group, "h"), junk);
          create(other, nodes.child(group, "hxyz"), junk);
          create(other, nodes.child(group, "?"), junk);
          create(other, nodes.child(group, "dnothing"), junk);
          create(other, Nodes.shard(nodes.groups(), 3) + "/else", junk);
          create(other, nodes.free() + "/else", junk);
          create(other, nodes.free(10, 3) + "/else", junk);
          other.setData(nodes.key("key"), junk, -1);
          other.setData(nodes.key("other"), new byte[500_000], -1);
        });
    for (String key : List.of("key", "other")) {
      assertThatThrownBy(() -> b.directory.lookup(key, 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(nodes.key(key))
          .hasMessageContaining("bytes of data");
    }
    assertThat(b.directory.holders(group)).hasSize(1);
    b.hold(b.group(7));
    FakeMember late = member(30);
    late.hold(group);
    leave(b, Report.EMPTY); // at which all is looked through
    late.release(group);
    a.release(group);
    Deadline.await(
        "the group has ended all the same",
        () -> {
          a.tell(Report.EMPTY);
          return late.files(group).length == 1;
        });
  }

  /** A member whose address is an array that says it is the longest that there can be. */
  private static byte[] arrayInPlaceOfAnAddress() throws IOException {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    to.writeBytes(ByteBuffer.allocate(9).put((byte) 1).array());
    new ObjectOutputStream(to).writeObject(new int[0]);
    byte[] member = to.toByteArray();
    ByteBuffer.wrap(member).putInt(member.length - Integer.BYTES, Integer.MAX_VALUE);
    return member;
  }

  /** So nothing is kept of those that come and go without end. */
  @Test
  public void whatWasPassedOverIsForgottenOnceItIsGone() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    Nodes nodes = new Nodes(root);
    GroupAddress group = new GroupAddress(501, 1, a.directory.joined().generation());
    String path = nodes.newMember() + "0000000500";
    meddle(other -> create(other, path, new byte[] {1, 2, 3}));
    Deadline.await("it is passed over", () -> isHolder(b, group, 0));
    meddle(other -> other.delete(path, -1));
    Deadline.await("it is gone", () -> isHolder(b, group, 0));
    byte[] member = new Nodes.Member(10, Messaging.ofThisNode().address()).bytes();
    meddle(other -> create(other, path, member));
    Deadline.await("one of its name is read", () -> isHolder(b, group, 1));
  }

  private static boolean isHolder(FakeMember asking, GroupAddress group, int count)
      throws IOException {
    return asking.directory.holders(group).length == count;
  }

  @Test
  public void spacesOfOtherVersionsAreNotJoined() throws Exception {
    member(10);
    Nodes nodes = new Nodes(root);
    meddle(other -> other.setData(nodes.space(), new byte[] {2, 0, 0}, -1));
    assertThatThrownBy(() -> member(20))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(nodes.space())
        .hasMessageContaining("none of this version");
  }

  @Test
  public void urlsNameServersAndAPath() {
    ZooKeeperDirectories directories = new ZooKeeperDirectories();
    assertThat(directories.accepts("//host:1098/exchange")).isFalse();
    assertThat(directories.accepts("zookeeper://host:2181/prices")).isTrue();
    for (String each : List.of("zookeeper://h:1", "zookeeper:///x", "zookeeper://u:p@h:1/x")) {
      assertThatThrownBy(() -> directories.join(each, new Address()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(each);
    }
  }
}
