package io.karmi.exchange.server;

import static io.karmi.exchange.server.GroupTableTest.NONE;
import static io.karmi.exchange.server.GroupTableTest.join;
import static io.karmi.exchange.server.GroupTableTest.of;
import static io.karmi.exchange.server.GroupTableTest.report;
import static io.karmi.exchange.server.GroupTableTest.some;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.kit.Deadline;
import io.karmi.messaging.Address;
import java.rmi.NoSuchObjectException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** A server that has started anew is told by its members, one after the other, what there was. */
public class RestartedTableTest {
  private final GroupTable table = new GroupTable(1, 2, 3).withoutPredecessor();
  private final Joined a = join(table, 10);
  private final Joined b = join(table, 20);

  public RestartedTableTest() throws NoSuchObjectException {}

  @Test
  public void thoseWhoHaveAGroupAreAwaitedBehindARestart() throws Exception {
    GroupAddress group = of(a, 1);
    GroupTable restarted = new GroupTable(1, 2, 4);
    Joined asking = restarted.register(new Address(), 0, 3, true, "host 20");
    FutureTask<Address[]> asked = new FutureTask<>(() -> restarted.holders(asking.member(), group));
    new Thread(asked).start();
    Joined owner = restarted.register(new Address(), 0, 3, true, "host 10");
    restarted.begin(owner.member(), 10);
    restarted.update(owner.member(), report(some(group), 0, NONE));
    assertThat(asked.get(60, TimeUnit.SECONDS)).hasSize(1);
  }

  @Test
  public void readsOfAGroupOfBeforeARestartEndWithWhoHasCountedThem() throws Exception {
    GroupAddress kept = of(a, 1);
    GroupTable again = new GroupTable(1, 2, 4);
    int owner = again.register(new Address(), 0, 0, true, "host 10").member();
    int neighbour = again.register(new Address(), 0, 0, true, "host 10").member();
    again.begin(owner, 10);
    again.begin(neighbour, 10);
    again.update(neighbour, report(some(kept), 0, NONE)); // holds it
    again.update(owner, report(some(kept), 2, some(kept)));
    again.update(neighbour, report(NONE, 0, some(kept)));
    assertThat(again.stats()).containsEntry("groups", 1L);
    again.leave(owner);
    assertThat(again.stats()).containsEntry("groups", 0L);
  }

  /** A stranger may speak of it before who has put it: what that refers to would end. */
  @Test
  public void whatAGroupRefersToIsKeptWhateverOthersHaveSaid() throws Exception {
    GroupAddress group = of(a, 1);
    GroupAddress part = of(a, 2);
    GroupTable again = new GroupTable(1, 2, 4).withoutPredecessor();
    Joined liar = join(again, 20);
    Joined owner = join(again, 10);
    refer(again, liar, group, of(liar, 3));
    refer(again, owner, group, part);
    refer(again, owner, group, part);
    again.update(owner.member(), report(some(group, part), 0, some(part)));
    again.update(liar.member(), report(NONE, 0, some(group)));
    assertThat(again.update(owner.member(), Report.EMPTY).free()).isEmpty();
    assertThat(again.holders(liar.member(), part)).hasSize(1);
    again.update(owner.member(), report(NONE, 0, some(group)));
    assertThat(again.stats()).containsEntry("groups", 0L);
    again.leave(owner.member());
    again.leave(liar.member());
    assertThat(again.stats()).containsEntry("bytes", 0L);
  }

  private static void refer(GroupTable at, Joined who, GroupAddress group, GroupAddress... on)
      throws NoSuchObjectException {
    Report.Dependency[] added = {new Report.Dependency(group, on)};
    at.update(who.member(), new Report(NONE, new int[0], NONE, NONE, added, NONE));
  }

  /** A stranger may speak of it before the host that has it, and would end it there. */
  @Test
  public void noOneCountsReadsOfWhatOthersStore() throws Exception {
    GroupAddress group = of(a, 1);
    GroupTable again = new GroupTable(1, 2, 4).withoutPredecessor();
    Joined liar = join(again, 20);
    Joined storing = join(again, 10);
    again.update(liar.member(), report(some(group), 1, NONE));
    again.update(storing.member(), report(some(group), Report.STORED, some(group)));
    GroupAddress[] read = {group};
    again.update(
        liar.member(), new Report(NONE, new int[0], read, read, new Report.Dependency[0], NONE));
    again.leave(liar.member());
    assertThat(again.update(storing.member(), Report.EMPTY).free()).isEmpty();
    assertThat(again.list(10)).singleElement().asString().contains("stored");
  }

  /** Who asks may be the first to come. */
  @Test
  public void keysAndThoseWhoHaveAGroupAreAwaitedByNewMembers() throws Exception {
    GroupTable restarted = new GroupTable(1, 2, 4);
    GroupAddress group = of(a, 1);
    int asking = join(restarted, 20).member();
    FutureTask<Found> found = new FutureTask<>(() -> restarted.lookup(asking, "key", 0));
    FutureTask<Address[]> having = new FutureTask<>(() -> restarted.holders(asking, group));
    for (FutureTask<?> each : List.of(found, having)) {
      Thread waiting = new Thread(each);
      waiting.start();
      Deadline.await(
          "it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING || each.isDone());
    }
    int owner = restarted.register(new Address(), 0, 3, true, "host").member();
    restarted.begin(owner, 10);
    restarted.update(owner, report(some(group), 0, NONE));
    restarted.bind(owner, "key", group, false, 5, Report.EMPTY);
    assertThat(found.get(60, TimeUnit.SECONDS)).isNotNull();
    assertThat(found.get().group()).isEqualTo(group);
    assertThat(having.get(60, TimeUnit.SECONDS)).hasSize(1);
  }

  @Test
  public void dropAwaitsWhoReportsAgain() throws Exception {
    for (String each : List.of("key", of(a, 1).toString())) {
      GroupTable restarted = new GroupTable(1, 2, 4);
      FutureTask<Boolean> dropped = new FutureTask<>(() -> restarted.drop(each));
      Thread dropping = new Thread(dropped, "drops");
      dropping.start();
      Deadline.await(
          "it waits", () -> dropping.getState() == Thread.State.TIMED_WAITING || dropped.isDone());
      int owner = restarted.register(new Address(), 0, 3, true, "host").member();
      restarted.begin(owner, 10);
      restarted.update(owner, report(some(of(a, 1)), Report.STORED, NONE));
      int order = 5;
      restarted.bind(owner, "key", of(a, 1), false, order, Report.EMPTY);
      assertThat(dropped.get(60, TimeUnit.SECONDS)).as(each).isTrue();
    }
  }

  /** Who has bound it before the one whose key was dropped may be the last to tell. */
  @Test
  public void keyThatIsDroppedBehindARestartStaysFree() throws Exception {
    GroupTable restarted = new GroupTable(1, 2, 4);
    Joined first = restarted.register(new Address(), 0, 3, true, "one");
    Joined second = restarted.register(new Address(), 0, 3, true, "two");
    restarted.begin(first.member(), 10);
    restarted.begin(second.member(), 20);
    restarted.bind(first.member(), "key", of(a, 1), false, 5, Report.EMPTY);
    assertThat(restarted.drop("key")).isTrue();
    assertThatThrownBy(
            () -> restarted.bind(second.member(), "key", of(b, 1), false, 6, Report.EMPTY))
        .isInstanceOf(KeyTakenException.class);
    assertThat(restarted.bind(second.member(), "key", of(b, 2), true, 0, Report.EMPTY)).isNotNull();
  }

  /** It was taken for dead meanwhile, and has told all to this directory before. */
  @Test
  public void keyOfBeforeARestartThatIsDroppedUnknownToItsMemberStaysFree() throws Exception {
    GroupTable restarted = new GroupTable(1, 2, 4);
    GroupAddress group = of(a, 1);
    restarted.begin(restarted.register(new Address(), 0, 0, true, "host 10").member(), 10);
    int owner = restarted.register(new Address(), 0, 0, true, "host 10").member();
    restarted.begin(owner, 10);
    for (String each : List.of("dropped", "kept", "told")) {
      restarted.bind(owner, each, group, false, each.length(), report(some(group), 0, NONE));
    }
    restarted.drop("told");
    restarted.leave(owner); // before it has heard of that
    restarted.drop("dropped");
    int again = restarted.register(new Address(), 0, 4, true, "host 10").member();
    restarted.begin(again, 10);
    for (String each : List.of("dropped", "told")) {
      assertThatThrownBy(
              () -> restarted.bind(again, each, group, false, each.length(), Report.EMPTY))
          .as(each)
          .isInstanceOf(KeyTakenException.class);
    }
    restarted.bind(again, "kept", group, false, "kept".length(), Report.EMPTY);
    assertThat(restarted.stats()).containsEntry("keys", 1L);
  }

  /** Its end is tried again by each call of others. */
  @Test
  public void memberThatHasTakenAllMemoryLeavesBehindARestart() throws Exception {
    GroupTable restarted = new GroupTable(1, 2, 4);
    Joined greedy = restarted.register(new Address(), 0, 3, false, "greedy");
    restarted.begin(greedy.member(), 10);
    for (String each : List.of("one", "two")) {
      restarted.bind(greedy.member(), each, of(greedy, 1), true, 0, Report.EMPTY);
    }
    GroupTableTest.fill(restarted, greedy);
    restarted.leave(greedy.member());
    assertThat(restarted.stats()).containsEntry("members", 0L).containsEntry("keys", 0L);
  }

  /** What it has known is a claim. */
  @Test
  public void noOneMakesAGenerationComeAgain() {
    for (int before : List.of(100, -1)) {
      int one =
          new GroupTable(1, 2, 4).register(new Address(), 0, before, true, "one").generation();
      int two =
          new GroupTable(1, 2, 5).register(new Address(), 0, before, true, "one").generation();
      assertThat(one).as("after " + before).isNotZero().isNotEqualTo(before).isNotEqualTo(two);
    }
  }
}
