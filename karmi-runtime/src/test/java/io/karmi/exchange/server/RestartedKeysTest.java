package io.karmi.exchange.server;

import static io.karmi.exchange.server.GroupTableTest.NONE;
import static io.karmi.exchange.server.GroupTableTest.join;
import static io.karmi.exchange.server.GroupTableTest.of;
import static io.karmi.exchange.server.GroupTableTest.some;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.DroppedKey;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.kit.Deadline;
import io.karmi.messaging.Address;
import java.lang.management.ManagementFactory;
import java.rmi.NoSuchObjectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Keys of before a restart of the server, which its members tell of one after the other. */
public class RestartedKeysTest {
  private final GroupTable table = new GroupTable(1, 2, 3, 1_000).withoutPredecessor();
  private final Joined a = join(table, 10);
  private final Joined b = join(table, 20);

  public RestartedKeysTest() throws NoSuchObjectException {}

  /** Its owner has not told of it yet when another member binds the key. */
  @Test
  public void bindingsOfBeforeARestartAreOlderThanThoseBehindIt() throws Exception {
    GroupAddress first = of(a, 1);
    GroupAddress second = of(b, 1);
    long older = table.bind(a.member(), "key", first, false, 0, Report.EMPTY).order();
    long newer = table.bind(b.member(), "key", second, true, 0, Report.EMPTY).order();
    GroupTable restarted = new GroupTable(1, 2, 4);
    Joined one = restarted.register(new Address(), 0, 3, true, "host");
    Joined other = restarted.register(new Address(), 0, 3, true, "host");
    restarted.bind(one.member(), "early", of(one, 1), true, 0, Report.EMPTY);
    assertThatThrownBy(
            () -> restarted.bind(other.member(), "early", second, false, newer, Report.EMPTY))
        .isInstanceOf(KeyTakenException.class);
    restarted.bind(one.member(), "key", first, false, older, Report.EMPTY);
    restarted.bind(other.member(), "key", second, false, newer, Report.EMPTY);
    assertThat(restarted.lookup(one.member(), "key", 0).group()).isEqualTo(second);
  }

  /** A bind of the key by this member, which waits, or has been done. */
  private FutureTask<Report.Answer> binding(GroupTable at, Joined member) throws Exception {
    FutureTask<Report.Answer> binding =
        new FutureTask<>(
            () -> at.bind(member.member(), "key", of(member, 1), false, 0, Report.EMPTY));
    Thread waiting = new Thread(binding);
    waiting.start();
    Deadline.await(
        "it waits, or has the key",
        () -> waiting.getState() == Thread.State.TIMED_WAITING || binding.isDone());
    return binding;
  }

  @Test
  public void keysOfBeforeARestartAreNotTaken() throws Exception {
    long order = table.bind(a.member(), "key", of(a, 1), false, 0, Report.EMPTY).order();
    GroupTable restarted = new GroupTable(1, 2, 4);
    Joined early = restarted.register(new Address(), 0, 3, true, "host");
    int late = restarted.register(new Address(), 0, 3, true, "host").member();
    restarted.begin(late, 20);
    FutureTask<Report.Answer> binding = binding(restarted, early);
    restarted.bind(late, "other", of(a, 2), false, 9, Report.EMPTY);
    assertThat(restarted.bind(late, "key", of(a, 1), false, order, Report.EMPTY).order())
        .isEqualTo(order);
    assertThatThrownBy(binding::get).hasCauseInstanceOf(KeyTakenException.class);
  }

  /** Who binds may be the first to come. */
  @Test
  public void keysOfBeforeARestartAreNotTakenByNewMembers() throws Exception {
    GroupTable restarted = new GroupTable(1, 2, 4);
    Joined early = join(restarted, 20);
    FutureTask<Report.Answer> binding = binding(restarted, early);
    int late = restarted.register(new Address(), 0, 3, true, "host").member();
    restarted.begin(late, 10);
    restarted.bind(late, "key", of(a, 1), false, 5, Report.EMPTY);
    assertThatThrownBy(binding::get).hasCauseInstanceOf(KeyTakenException.class);
    assertThat(restarted.lookup(late, "key", 0).group()).isEqualTo(of(a, 1));
  }

  /** Who has bound a key may be the first to tell, and another one has replaced it since. */
  @Test
  public void keysThatWereReplacedBeforeARestartAreNotFoundAfterIt() throws Exception {
    GroupTable restarted = new GroupTable(1, 2, 9);
    Joined first = restarted.register(new Address(), 0, 3, true, "one");
    Joined second = restarted.register(new Address(), 0, 3, true, "two");
    restarted.begin(first.member(), 10);
    restarted.begin(second.member(), 20);
    restarted.bind(first.member(), "key", of(a, 1), false, 5, Report.EMPTY);
    FutureTask<Found> lookup = new FutureTask<>(() -> restarted.lookup(first.member(), "key", 0));
    Thread asking = new Thread(lookup, "asks");
    asking.start();
    Deadline.await(
        "it waits", () -> asking.getState() == Thread.State.TIMED_WAITING || lookup.isDone());
    restarted.bind(second.member(), "key", of(b, 1), false, 6, Report.EMPTY);
    assertThat(lookup.get().group()).isEqualTo(of(b, 1));
  }

  private static long waits(Thread thread) {
    return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
  }

  /** Else each stranger could make others wait for each key that is absent, and for ever. */
  @Test
  public void keysAreWaitedForOnceAfterARestart() throws Exception {
    table.register(new Address(), 0, 2, true, "host");
    assertThat(table.lookup(a.member(), "absent", 0)).isNull();
    table.register(new Address(), 0, 2, true, "host");
    long waits = waits(Thread.currentThread());
    assertThat(table.lookup(a.member(), "absent", 0)).isNull();
    assertThat(waits(Thread.currentThread())).isEqualTo(waits);
  }

  /** Else it would bind the key again at a server that follows at once. */
  @Test
  public void keyIsDroppedWhenItsMemberHasHeardOfThat() throws Exception {
    GroupAddress group = of(a, 1);
    table.bind(a.member(), "key", group, false, 0, Report.EMPTY);
    FutureTask<Boolean> drop =
        new FutureTask<>(
            () -> {
              boolean dropped = table.drop("key");
              table.awaitHeard(TimeUnit.DAYS.toMillis(1));
              return dropped;
            });
    Thread dropping = new Thread(drop, "drops");
    dropping.start();
    Deadline.await(
        "it waits", () -> dropping.getState() == Thread.State.TIMED_WAITING || drop.isDone());
    assertThat(table.update(a.member(), Report.EMPTY).unbound()).containsExactly(group);
    assertThat(drop.isDone()).isFalse();
    table.heard(a.member(), some(group), NONE, 0);
    assertThat(drop.isDone()).as("no one else could tell of it").isFalse();
    table.heard(b.member(), NONE, NONE, 1);
    table.heard(a.member(), NONE, NONE, 1);
    Deadline.await("it is heard", drop::isDone);
    assertThat(drop.get()).isTrue();
  }

  /** It stands still, and neither server can ask it. */
  @Test
  public void bindingsThatWereDroppedUnknownToTheirMemberAreKnownFromOthersBehindARestart()
      throws Exception {
    long stale = table.bind(a.member(), "key", of(a, 1), false, 0, Report.EMPTY).order();
    assertThat(table.drop("key")).isTrue();
    DroppedKey[] told = table.update(b.member(), Report.EMPTY).droppedKeys();
    assertThat(told).extracting(DroppedKey::key).containsExactly("key");
    table.heard(b.member(), NONE, NONE, told[0].number());
    assertThat(table.update(b.member(), Report.EMPTY).droppedKeys()).isEmpty();
    long newer = table.bind(b.member(), "key", of(b, 1), false, 0, Report.EMPTY).order();
    for (boolean first : List.of(true, false)) {
      GroupTable restarted = new GroupTable(1, 2, 4);
      int still = restarted.register(new Address(), 0, 3, true, "host").member();
      int other = restarted.register(new Address(), 0, 3, true, "host").member();
      restarted.begin(still, 10);
      if (first) {
        restarted.bind(still, "key", of(a, 1), false, stale, Report.EMPTY);
      }
      restarted.begin(other, 20, told);
      if (first) {
        assertThat(restarted.update(still, Report.EMPTY).unbound()).containsExactly(of(a, 1));
      }
      assertThatThrownBy(() -> restarted.bind(still, "key", of(a, 1), false, stale, Report.EMPTY))
          .isInstanceOf(KeyTakenException.class);
      assertThat(restarted.bind(other, "key", of(b, 1), false, newer, Report.EMPTY).order())
          .isEqualTo(newer);
      assertThat(restarted.update(still, Report.EMPTY).droppedKeys())
          .as("for the server after that")
          .hasSize(1);
    }
  }

  /** They are claims: of what this server has bound no one says so, nor one host for all. */
  @Test
  public void whatMembersSayWasDroppedIsOfBeforeTheRestartAndOfOneHostNotAll() throws Exception {
    GroupTable restarted = new GroupTable(1, 2, 4);
    Joined liar = restarted.register(new Address(), 0, 3, true, "liar");
    Joined other = restarted.register(new Address(), 0, 3, true, "other");
    long order = restarted.bind(other.member(), "new", of(other, 1), true, 0, Report.EMPTY).order();
    List<DroppedKey> junk = new ArrayList<>();
    junk.add(new DroppedKey("new", order, 1));
    junk.add(new DroppedKey("k".repeat(1025), 1, 2));
    for (int i = 0; i < 3000; i++) {
      junk.add(new DroppedKey("junk " + i, 1, i));
    }
    for (int i = 0; i < 3; i++) {
      int from = 1000 * i;
      restarted.begin(
          liar.member(), 10, junk.subList(from, from + 1000).toArray(new DroppedKey[0]));
    }
    assertThat(restarted.lookup(liar.member(), "new", 0)).isNotNull();
    restarted.begin(other.member(), 20, new DroppedKey("key", 7, 1));
    assertThatThrownBy(
            () -> restarted.bind(liar.member(), "key", of(liar, 1), false, 7, Report.EMPTY))
        .isInstanceOf(KeyTakenException.class);
    for (int i = 0; i < 2000; i++) {
      restarted.bind(other.member(), "mine", of(other, i), true, 0, Report.EMPTY);
      assertThat(restarted.drop("mine")).isTrue();
      restarted.bind(other.member(), "mine " + i, of(other, i), true, 0, Report.EMPTY);
      assertThat(restarted.drop("mine " + i)).isTrue();
    }
    assertThat(restarted.update(other.member(), Report.EMPTY).droppedKeys())
        .hasSize(DroppedKey.MAXIMUM)
        .extracting(DroppedKey::key)
        .endsWith("mine", "mine 1999");
  }

  /** They were woken by each other's keys: with 10,000 of them each bind took a second. */
  @Test
  public void thoseWhoWaitForAKeyAreWokenByThatAlone() throws Exception {
    List<Thread> waiting = new ArrayList<>();
    List<FutureTask<Found>> found = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String key = "key " + i;
      found.add(new FutureTask<>(() -> table.lookup(b.member(), key, 10_000)));
      waiting.add(new Thread(found.get(i), key));
      waiting.get(i).start();
    }
    for (Thread each : waiting) {
      Deadline.await("it waits", () -> each.getState() == Thread.State.TIMED_WAITING);
    }
    Thread last = waiting.get(99);
    long woken = waits(last);
    for (int i = 0; i < 99; i++) {
      table.bind(a.member(), "key " + i, of(a, i), false, 0, Report.EMPTY);
      assertThat(found.get(i).get().group()).isEqualTo(of(a, i));
    }
    assertThat(waits(last)).isEqualTo(woken);
    table.bind(a.member(), "key 99", of(a, 99), false, 0, Report.EMPTY);
    assertThat(found.get(99).get().group()).isEqualTo(of(a, 99));
  }
}
