package io.karmi.exchange.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.kit.Deadline;
import io.karmi.messaging.Address;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.rmi.NoSuchObjectException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

public class GroupTableTest {
  static final GroupAddress[] NONE = {};

  private static final int OTHER_KEYS = 1000;

  /** Bytes of a member. */
  static final long MEMBER = 2048;

  private final GroupTable table = new GroupTable(1, 2, 3).withoutPredecessor();
  private final Joined a = join(10);
  private final Joined b = join(20);

  public GroupTableTest() throws NoSuchObjectException {}

  private long bytes() {
    return table.stats().get("bytes");
  }

  private Joined join(long host) throws NoSuchObjectException {
    return join(table, host);
  }

  static Joined join(GroupTable table, long host) throws NoSuchObjectException {
    Joined joined = table.register(new Address(), 0, 0, true, "host " + host);
    table.begin(joined.member(), host);
    return joined;
  }

  static GroupAddress of(Joined owner, long sequence) {
    return new GroupAddress(owner.member(), sequence, owner.generation());
  }

  static GroupAddress[] some(GroupAddress... groups) {
    return groups;
  }

  static Report report(GroupAddress[] held, int reads, GroupAddress[] released) {
    int[] each = new int[held.length];
    Arrays.fill(each, reads);
    return new Report(held, each, released, NONE, new Report.Dependency[0], held);
  }

  private GroupAddress[] hold(Joined who, GroupAddress... groups) throws NoSuchObjectException {
    return table.update(who.member(), report(groups, 0, NONE)).free();
  }

  private GroupAddress[] release(Joined who, GroupAddress... groups) throws NoSuchObjectException {
    return table.update(who.member(), report(NONE, 0, groups)).free();
  }

  private GroupAddress[] read(Joined who, GroupAddress... groups) throws NoSuchObjectException {
    return table
        .update(
            who.member(),
            new Report(NONE, new int[0], NONE, groups, new Report.Dependency[0], NONE))
        .free();
  }

  private GroupAddress[] free(Joined who) throws NoSuchObjectException {
    return table.update(who.member(), Report.EMPTY).free();
  }

  @Test
  public void groupEndsWithItsLastHoldAndEachHostIsTold() throws Exception {
    GroupAddress group = of(a, 1);
    hold(a, group);
    hold(b, group);
    assertThat(table.holders(b.member(), group)).hasSize(2);
    assertThat(release(a, group)).isEmpty();
    assertThat(release(b, group)).containsExactly(group);
    assertThat(free(a)).containsExactly(group);
    assertThat(free(a)).isEmpty();
    assertThat(table.stats()).containsEntry("groups", 0L);
  }

  @Test
  public void keyHoldsItsGroupUntilItIsReplaced() throws Exception {
    GroupAddress first = of(a, 1);
    GroupAddress second = of(b, 1);
    table.bind(a.member(), "key", first, false, 0, report(some(first), 0, some(first)));
    assertThatThrownBy(() -> table.bind(b.member(), "key", second, false, 0, Report.EMPTY))
        .isInstanceOf(KeyTakenException.class);
    assertThat(free(a)).isEmpty();
    table.bind(b.member(), "key", second, true, 0, Report.EMPTY);
    assertThat(free(a)).containsExactly(first);
    assertThat(table.lookup(a.member(), "key", 0).group()).isEqualTo(second);
    assertThatThrownBy(() -> table.bind(b.member(), "other", of(a, 9), false, 0, Report.EMPTY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Else the next member of its host would tell of it again. */
  @Test
  public void hostsAreToldWhatIsStoredNoMoreUntilTheyHaveHeard() throws Exception {
    GroupAddress group = of(a, 1);
    hold(b, group);
    table.update(a.member(), report(some(group), Report.STORED, NONE));
    assertThat(table.drop(group.toString())).isTrue();
    int neighbour = join(10).member();
    for (int each : List.of(a.member(), neighbour)) {
      assertThat(table.update(each, Report.EMPTY).dropped()).containsExactly(group);
    }
    table.leave(a.member());
    assertThat(table.update(neighbour, Report.EMPTY).dropped()).containsExactly(group);
    table.heard(neighbour, NONE, some(group), 0);
    assertThat(table.update(neighbour, Report.EMPTY).dropped()).isEmpty();
    Report again = report(some(group), Report.STORED, some(group));
    assertThat(table.update(neighbour, again).dropped()).containsExactly(group);
    assertThat(table.list(10)).isEmpty();
    assertThat(release(b, group)).containsExactly(group);
    assertThat(table.stats()).containsEntry("groups", 0L);
    table.heard(neighbour, NONE, some(group), 0);
    table.leave(neighbour);
    table.leave(b.member());
    assertThat(bytes()).isZero();
  }

  /** Else it would bind it again when the server has started anew. */
  @Test
  public void memberIsToldThatAKeyIsNotItsOwnAnyMoreUntilItHasHeard() throws Exception {
    GroupAddress replaced = of(a, 1);
    GroupAddress dropped = of(a, 2);
    table.bind(a.member(), "key", replaced, false, 0, report(some(replaced), 0, NONE));
    table.bind(a.member(), "other", dropped, false, 0, report(some(dropped), 0, NONE));
    table.bind(b.member(), "key", of(b, 1), true, 0, Report.EMPTY);
    table.drop("other");
    assertThat(unbound(a)).containsExactly(replaced, dropped);
    table.bind(a.member(), "more", of(a, 3), false, 0, Report.EMPTY);
    table.drop("more");
    assertThat(unbound(a)).containsExactly(replaced, dropped, of(a, 3));
    table.heard(a.member(), some(replaced, dropped), NONE, 0);
    table.heard(a.member(), some(replaced, dropped), NONE, 0);
    assertThat(unbound(a)).containsExactly(of(a, 3));
    table.heard(a.member(), some(replaced, dropped, of(a, 3)), NONE, 0);
    assertThat(unbound(a)).isEmpty();
    assertThat(unbound(b)).isEmpty();
  }

  private GroupAddress[] unbound(Joined who) throws NoSuchObjectException {
    return table.update(who.member(), Report.EMPTY).unbound();
  }

  /** Else who binds keys and is never told could fill the server's memory. */
  @Test
  public void whatAMemberIsToBeToldOfKeysCountsUntilItIsToldOrHasLeft() throws Exception {
    Joined told = table.register(new Address(), 0, 0, false, "host 30");
    table.begin(told.member(), 30);
    GroupAddress[] held = new GroupAddress[OTHER_KEYS];
    Arrays.setAll(held, i -> of(told, i));
    long none = bytes();
    hold(told, held);
    long groups = bytes();
    for (GroupAddress each : held) {
      table.bind(told.member(), "key " + each, each, false, 0, Report.EMPTY);
    }
    for (GroupAddress each : held) {
      table.drop("key " + each);
    }
    assertThat(bytes()).isGreaterThan(groups);
    assertThat(unbound(told)).containsExactly(held);
    table.heard(told.member(), some(held), NONE, 0);
    assertThat(bytes()).isEqualTo(groups);
    table.bind(told.member(), "key", held[0], false, 0, Report.EMPTY);
    table.drop("key");
    table.leave(told.member());
    assertThat(bytes()).isLessThan(none);
  }

  @Test
  public void whatHasEndedIsToldWhereAKeyIsTaken() throws Exception {
    GroupAddress ended = of(a, 1);
    GroupAddress unknown = of(a, 2);
    hold(a, ended);
    hold(b, ended);
    release(a, ended);
    release(b, ended);
    table.bind(b.member(), "key", of(b, 1), false, 0, Report.EMPTY);
    Report changes = report(NONE, 0, some(unknown));
    assertThatThrownBy(() -> table.bind(a.member(), "key", of(a, 3), false, 0, changes))
        .isInstanceOf(KeyTakenException.class);
    assertThat(free(a)).containsExactlyInAnyOrder(ended, unknown);
  }

  @Test
  public void memberThatWasTakenForDeadKeepsItsGroupsUnderAnotherNumber() throws Exception {
    GroupAddress kept = of(a, 1);
    GroupAddress bound = of(a, 2);
    table.leave(a.member());
    Joined again = table.register(new Address(), 0, a.generation(), true, "host 10");
    table.begin(again.member(), 10);
    assertThat(table.update(again.member(), report(some(kept), 2, some(kept))).free()).isEmpty();
    table.bind(again.member(), "key", bound, false, 7, Report.EMPTY);
    assertThat(table.lookup(b.member(), "key", 0).group()).isEqualTo(bound);
    read(b, kept);
    assertThat(free(again)).isEmpty();
    read(b, kept);
    assertThat(free(again)).containsExactly(kept);
  }

  @Test
  public void readsAreCountedAgainByAnOwnerThatWasTakenForDead() throws Exception {
    GroupAddress kept = of(a, 1);
    table.update(a.member(), report(some(kept), 1, some(kept)));
    hold(b, kept);
    table.leave(a.member());
    Joined again = table.register(new Address(), 0, a.generation(), true, "host 10");
    table.begin(again.member(), 10);
    table.update(again.member(), report(some(kept), 1, some(kept)));
    assertThat(release(b, kept)).isEmpty();
    assertThat(table.stats()).containsEntry("groups", 1L);
  }

  @Test
  public void readsOfAGroupThatNoOneCountsKeepItNot() throws Exception {
    GroupAddress group = of(a, 1);
    hold(a, group);
    hold(b, group);
    table.leave(a.member());
    read(b, group);
    release(b, group);
    assertThat(table.stats()).containsEntry("groups", 0L);
  }

  @Test
  public void referredGroupsLiveAsLongAsWhatRefersToThem() throws Exception {
    GroupAddress top = of(a, 1);
    GroupAddress middle = of(a, 2);
    GroupAddress low = of(a, 3);
    Report.Dependency[] added = {
      new Report.Dependency(top, some(middle, low)), new Report.Dependency(middle, some(low))
    };
    GroupAddress[] all = some(top, middle, low);
    table.update(a.member(), new Report(all, new int[3], NONE, NONE, added, all));
    assertThat(release(a, low, middle)).isEmpty();
    assertThat(release(a, top)).containsExactlyInAnyOrder(top, middle, low);
  }

  @Test
  public void countedReadsHoldAlsoWhereTheyAreReportedFirst() throws Exception {
    GroupAddress group = of(a, 1);
    read(b, group);
    table.update(a.member(), report(some(group), 2, some(group)));
    assertThat(free(a)).isEmpty();
    read(b, group);
    assertThat(free(a)).containsExactly(group);
    assertThat(table.stats()).containsEntry("groups", 0L);
    table.update(b.member(), report(some(of(a, 2)), 5, some(of(a, 2)))); // not the owner
    assertThat(table.stats()).containsEntry("groups", 0L);
  }

  /** By a second reader of a group that was to be read once, or by one who says anything. */
  @Test
  public void readsOfGroupsThatTheirOwnerDoesNotTellOfKeepNothingForLong() throws Exception {
    long before = bytes();
    GroupAddress once = of(a, 1);
    table.update(a.member(), report(some(once), 1, some(once)));
    Joined liar = join(30);
    read(b, once, once);
    read(liar, of(a, 2), of(a, 2), of(a, 3));
    table.leave(liar.member());
    assertThat(table.stats()).containsEntry("groups", 3L);
    table.update(a.member(), report(some(of(a, 3)), 2, some(of(a, 3))));
    Deadline.await(
        "what it has not told of is forgotten",
        () -> {
          free(a);
          return table.stats().get("groups") == 1;
        });
    read(b, of(a, 3));
    assertThat(free(a)).containsExactly(of(a, 3));
    Deadline.await("nothing is left", () -> free(a).length == 0 && bytes() == before);
  }

  @Test
  public void readsThatWereReportedFirstEndWithTheOwner() throws Exception {
    long before = bytes();
    Joined owner = join(30);
    read(b, of(owner, 1), of(owner, 2));
    table.leave(owner.member());
    assertThat(bytes()).isEqualTo(before);
  }

  @Test
  public void endOfAMemberEndsItsHoldsAndItsKeysWithTheLastOfTheHost() throws Exception {
    Joined neighbour = join(10);
    GroupAddress group = of(a, 1);
    GroupAddress bound = of(a, 2);
    hold(a, group);
    table.bind(a.member(), "key", bound, false, 0, Report.EMPTY);
    table.leave(a.member());
    assertThat(free(neighbour)).containsExactly(group);
    assertThat(table.lookup(b.member(), "key", 0).sources()).hasSize(1);
    table.leave(neighbour.member());
    assertThat(table.lookup(b.member(), "key", 0)).isNull();
    assertThat(table.stats()).containsEntry("groups", 0L).containsEntry("hosts", 1L);
    assertThatThrownBy(() -> hold(a, group)).isInstanceOf(NoSuchObjectException.class);
  }

  /** Takes all that the ledger has for the host of a member, but less than a reference. */
  static void fill(GroupTable table, Joined member) {
    GroupAddress[] many = new GroupAddress[0xffff];
    Arrays.fill(many, of(member, 0));
    long most = Runtime.getRuntime().maxMemory() / many.length / 40;
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < most; i++) {
                Report.Dependency[] added = {new Report.Dependency(of(member, -1 - i), many)};
                table.update(
                    member.member(), new Report(NONE, new int[0], NONE, NONE, added, NONE));
              }
            })
        .isInstanceOf(IllegalStateException.class);
  }

  /** Else strangers could keep others from reading: they would be named in place of those. */
  @Test
  public void membersOfOneHostDoNotCrowdOutThoseWhoHaveAGroup() throws Exception {
    Address own = new Address();
    Joined owner = table.register(own, 0, 0, true, "owner");
    table.begin(owner.member(), 1000);
    GroupAddress group = of(owner, 1);
    hold(owner, group);
    Address fetched = new Address();
    Joined other = table.register(fetched, 0, 0, true, "other");
    table.begin(other.member(), 1001);
    hold(other, group);
    for (int i = 0; i < 500; i++) {
      int stranger = table.register(new Address(), 0, 0, true, "stranger").member();
      table.begin(stranger, i);
      table.update(stranger, report(some(group), 0, NONE));
    }
    for (int i = 0; i < 20; i++) {
      List<Address> named = List.of(table.holders(b.member(), group));
      assertThat(named.stream().filter(each -> each == own || each == fetched).count())
          .isEqualTo(2);
      assertThat(named.size()).isEqualTo(16);
    }
    table.leave(owner.member());
    for (int i = 0; i < 20; i++) {
      List<Address> named = List.of(table.holders(b.member(), group));
      assertThat(named.stream().filter(each -> each == fetched).count()).isEqualTo(1);
    }
  }

  /** Else one report that names a group some million times takes all memory. */
  @Test
  public void answersAreNoLongerThanReportsOfMembersAre() throws Exception {
    GroupAddress[] often = new GroupAddress[100_000];
    Arrays.fill(often, of(a, 1));
    assertThat(release(a, often)).hasSize(10_000);
    assertThat(release(a, of(a, 1))).hasSize(1);
  }

  /** It took more than a minute, in which no one else was answered. */
  @Test(timeout = 60_000)
  public void groupOfManyHoldersIsFoundQuicklyAmongAMembersOwn() throws Exception {
    GroupAddress group = of(a, 1);
    int last = 0;
    for (int i = 0; i < 8_000; i++) {
      last = table.register(new Address(), 0, 0, true, "host").member();
      table.begin(last, i);
      table.update(last, report(some(group), 0, NONE));
    }
    GroupAddress[] often = new GroupAddress[500_000];
    Arrays.fill(often, group);
    for (int i = 0; i < 30; i++) {
      table.update(last, report(often, 0, NONE));
    }
    assertThat(table.list(1)).isEmpty();
  }

  @Test
  public void membersThatHaveLeftAreToldOfNothing() throws Exception {
    table.bind(a.member(), "key", of(a, 1), false, 0, Report.EMPTY);
    table.update(b.member(), report(some(of(a, 1)), 0, NONE));
    table.leave(a.member());
    table.bind(b.member(), "key", of(b, 1), true, 0, Report.EMPTY);
    Joined homeless = table.register(new Address(), 0, 0, true, "host"); // has not begun
    Report unknown = report(NONE, 0, some(of(homeless, 1), of(homeless, 2)));
    table.bind(homeless.member(), "other", of(homeless, 3), false, 0, unknown);
    table.bind(homeless.member(), "other", of(homeless, 4), true, 0, unknown);
    table.leave(homeless.member());
    table.drop("other");
    table.leave(b.member());
    assertThat(table.stats()).containsEntry("keys", 0L).containsEntry("bytes", 0L);
  }

  /** The member that has bound them was taken for dead, and binds its keys again. */
  @Test
  public void keysThatWereReplacedOrDroppedUnknownToTheirMemberStayFree() throws Exception {
    join(10); // a neighbour, so the files stay
    List<Long> orders = new ArrayList<>();
    for (String each : List.of("replaced", "dropped", "kept")) {
      GroupAddress group = of(a, each.length());
      orders.add(table.bind(a.member(), each, group, false, 0, Report.EMPTY).order());
    }
    table.bind(b.member(), "replaced", of(b, 1), true, 0, Report.EMPTY);
    table.leave(a.member());
    table.drop("replaced");
    table.drop("dropped");
    int again = table.register(new Address(), 0, a.generation(), true, "host 10").member();
    table.begin(again, 10);
    assertThatThrownBy(() -> bindAgain(again, "replaced", orders.get(0)))
        .isInstanceOf(KeyTakenException.class);
    assertThatThrownBy(() -> bindAgain(again, "dropped", orders.get(1)))
        .isInstanceOf(KeyTakenException.class);
    bindAgain(again, "kept", orders.get(2));
    assertThat(table.stats()).containsEntry("keys", 1L);
  }

  private void bindAgain(int member, String key, long order) throws Exception {
    table.bind(member, key, of(a, key.length()), false, order, Report.EMPTY);
  }

  @Test
  public void keysThatWereLostAreBoundAgainByTheirMember() throws Exception {
    GroupAddress group = of(a, "lost".length());
    long order = table.bind(a.member(), "lost", group, false, 0, Report.EMPTY).order();
    table.leave(a.member());
    assertThat(table.stats()).containsEntry("keys", 0L);
    int again = table.register(new Address(), 0, a.generation(), true, "host 10").member();
    bindAgain(again, "lost", order);
    assertThat(table.stats()).containsEntry("keys", 1L);
  }

  /** As a member does that was taken for dead. */
  @Test
  public void groupsThatAreHeldAgainBeforeTheirHostIsToldHaveNotEnded() throws Exception {
    join(10); // a neighbour, so the file stays
    GroupAddress group = of(a, 1);
    hold(a, group);
    hold(a, of(a, 2));
    table.leave(a.member());
    Joined again = join(10);
    assertThat(hold(again, group)).containsExactly(of(a, 2));
    assertThat(release(again, group)).containsExactly(group);
  }

  @Test
  public void groupsThatAHostIsToBeToldOfAreCounted() throws Exception {
    GroupAddress[] groups = new GroupAddress[100];
    Arrays.setAll(groups, i -> of(a, i));
    hold(a, groups);
    hold(b, groups);
    release(a, groups);
    release(b, groups); // a is yet to be told
    assertThat(table.stats())
        .containsEntry("groups", 0L)
        .containsEntry("bytes", 2 * MEMBER + 8_000);
    assertThat(free(a)).hasSize(100);
    assertThat(table.stats()).containsEntry("bytes", 2 * MEMBER);
    hold(a, groups);
    hold(b, groups);
    release(a, groups);
    release(b, groups);
    table.leave(a.member());
    assertThat(table.stats()).containsEntry("bytes", MEMBER);
  }

  @Test
  public void listsHaveNoMoreLinesThanAnAnswerMayHave() throws Exception {
    for (int i = 0; i < 10_001; i++) {
      table.bind(a.member(), "key-" + i, of(a, i), false, 0, Report.EMPTY);
    }
    assertThat(table.list(Integer.MAX_VALUE)).hasSize(10_000);
    assertThat(table.list(-1)).isEmpty();
  }

  @Test
  public void listsHaveNoMoreCharactersThanAnAnswerMayHave() throws Exception {
    String key = "k".repeat(1000);
    for (int i = 0; i < 5_000; i++) {
      table.bind(a.member(), key + i, of(a, i), false, 0, Report.EMPTY);
    }
    assertThat(table.list(Integer.MAX_VALUE)).hasSizeLessThan(4_500);
  }

  /** It took some minutes, in which no one else was answered. */
  @Test(timeout = 60_000)
  public void endOfAMemberDoesNotLookAtEachKeyForEachGroup() throws Exception {
    int count = (int) Math.min(60_000, Runtime.getRuntime().maxMemory() / 4 * 3 / 1000);
    for (int i = 0; i < count; i++) {
      table.bind(a.member(), "key-" + i, of(a, i), false, 0, Report.EMPTY);
    }
    table.leave(a.member());
    assertThat(table.stats()).containsEntry("keys", 0L).containsEntry("groups", 0L);
  }

  /** It took more than a minute, in which no one else was answered. */
  @Test(timeout = 60_000)
  public void groupsWhoseAddressesHaveOneHashAreFoundQuickly() throws Exception {
    GroupAddress[] groups = new GroupAddress[60_000];
    Arrays.setAll(groups, i -> of(a, (long) i << Integer.SIZE | i));
    hold(a, groups);
    assertThat(Arrays.stream(groups).mapToInt(GroupAddress::hashCode).distinct()).hasSize(1);
    assertThat(release(a, groups)).hasSize(10_000);
    table.leave(a.member());
    assertThat(table.stats()).containsEntry("groups", 0L);
  }

  @Test
  public void oneHostLeavesRoomForMembersOfOthers() throws Exception {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                table.register(new Address(), 0, 0, true, "greedy");
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("greedy has 8750");
    join(30);
    assertThatThrownBy(() -> table.register(new Address(), 4097, 0, true, "other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4097 characters");
  }

  @Test
  public void eachHolderAndEachHostOfAGroupCounts() throws Exception {
    GroupAddress group = of(a, 1);
    hold(a, group);
    long one = table.stats().get("bytes");
    hold(b, group);
    assertThat(table.stats()).containsEntry("bytes", one + 2 * 16);
    table.leave(b.member());
    assertThat(table.stats()).containsEntry("bytes", one - MEMBER);
  }

  @Test
  public void whatAGroupRefersToOnlyItsOwnerMaySay() throws Exception {
    GroupAddress top = of(a, 1);
    GroupAddress low = of(a, 2);
    Report.Dependency[] forged = {new Report.Dependency(top, some(of(b, 7)))};
    table.update(b.member(), new Report(NONE, new int[0], NONE, NONE, forged, NONE));
    Report.Dependency[] added = {new Report.Dependency(top, some(low))};
    table.update(
        a.member(), new Report(some(top, low), new int[2], NONE, NONE, added, some(top, low)));
    assertThat(release(a, low)).isEmpty();
    assertThat(release(a, top)).containsExactlyInAnyOrder(top, low);
  }

  @Test
  public void lookupsThatWaitLeaveConnectionsForOthers() throws Exception {
    GroupTable small = new GroupTable(1, 2, 3, 1);
    int first = small.register(new Address(), 0, 0, true, "one").member();
    Thread waiting =
        new Thread(
            () -> {
              try {
                small.lookup(first, "absent", 10_000);
              } catch (NoSuchObjectException | InterruptedException e) {
                return; // it has waited for long enough
              }
            });
    waiting.start();
    Deadline.await("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    assertThat(small.lookup(first, "absent", Long.MAX_VALUE)).isNull();
    assertThat(waiting.isAlive()).isTrue();
    waiting.interrupt();
    waiting.join();
  }

  @Test
  public void waitsForThoseWhoHaveAGroupLeaveConnectionsForOthers() throws Exception {
    GroupTable small = new GroupTable(1, 2, 4, 1);
    int member = small.register(new Address(), 0, 3, true, "one").member();
    GroupAddress group = of(a, 1);
    for (int i = 0; i < 2; i++) { // a wait that was interrupted gives its place back
      FutureTask<Address[]> asked = new FutureTask<>(() -> small.holders(member, group));
      Thread waiting = new Thread(asked);
      waiting.start();
      Deadline.await("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
      assertThat(small.holders(member, group)).isEmpty();
      assertThat(waiting.isAlive()).isTrue();
      waiting.interrupt();
      waiting.join();
    }
  }

  /** It has told all under a number of which it has not heard, and then under another one. */
  @Test
  public void readsThatAMemberHasToldUnderTwoNumbersDoNotEndWithTheFirst() throws Exception {
    Joined again = join(10);
    GroupAddress[] earlier = some(new GroupAddress(7, 1, 2));
    for (Joined each : List.of(a, again)) {
      table.update(each.member(), report(earlier, 1, earlier));
    }
    table.leave(a.member());
    assertThat(free(again)).isEmpty();
    assertThat(table.stats()).containsEntry("groups", 1L);
    read(b, earlier);
    assertThat(table.stats()).containsEntry("groups", 0L);
  }

  /** A member whose keys end with it. */
  @Test
  public void keysThatAMemberHasToldUnderTwoNumbersDoNotEndWithTheFirst() throws Exception {
    GroupAddress earlier = new GroupAddress(7, 1, 2);
    Joined first = table.register(new Address(), 0, 0, false, "host 30");
    Joined second = table.register(new Address(), 0, 0, false, "host 30");
    for (Joined each : List.of(first, second)) {
      table.begin(each.member(), 30);
      table.bind(each.member(), "key", earlier, false, 5, report(some(earlier), 0, NONE));
    }
    table.leave(first.member());
    assertThat(table.lookup(b.member(), "key", 0).group()).isEqualTo(earlier);
    table.leave(second.member());
    assertThat(table.lookup(b.member(), "key", 0)).isNull();
    assertThat(table.stats()).containsEntry("groups", 0L);
  }

  @Test
  public void lookupsThatWaitAreNotWokenForOtherKeys() throws Exception {
    int member = a.member();
    hold(a, of(a, 1));
    AtomicLong waits = new AtomicLong();
    Thread waiting =
        new Thread(
            () -> {
              try {
                if (table.lookup(member, "awaited", 10_000) != null) {
                  waits.set(ownWaits());
                }
              } catch (NoSuchObjectException | InterruptedException e) {
                return; // the test has failed
              }
            });
    waiting.start();
    Deadline.await("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    for (int i = 0; i < OTHER_KEYS; i++) {
      table.bind(member, "other " + i, of(a, 1), false, 0, Report.EMPTY);
      Thread.yield();
    }
    table.bind(member, "awaited", of(a, 1), false, 0, Report.EMPTY);
    waiting.join();
    assertThat(waits).hasValue(1);
  }

  private static long ownWaits() {
    long own = Thread.currentThread().getId();
    return ManagementFactory.getThreadMXBean().getThreadInfo(own).getWaitedCount();
  }

  @Test
  public void numbersOfBindingsDoNotOverflow() throws Exception {
    assertThatThrownBy(
            () -> table.bind(a.member(), "key", of(a, 1), true, Long.MAX_VALUE, Report.EMPTY))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A model: who holds what, against the table. */
  @Test
  public void randomReportsLeaveWhatIsHeld() throws Exception {
    Random random = new Random(7);
    boolean[][] holds = new boolean[2][30];
    Joined[] both = {a, b};
    for (int i = 0; i < 30; i++) {
      hold(a, of(a, i));
      holds[0][i] = true;
    }
    for (int step = 0; step < 20_000; step++) {
      int who = random.nextInt(2);
      int which = random.nextInt(30);
      boolean lives = holds[0][which] || holds[1][which];
      if (random.nextBoolean() && lives) {
        hold(both[who], of(a, which));
        holds[who][which] = true;
      } else {
        release(both[who], of(a, which));
        holds[who][which] = false;
      }
    }
    long held = 0;
    for (int i = 0; i < 30; i++) {
      held += holds[0][i] || holds[1][i] ? 1 : 0;
    }
    assertThat(table.stats()).containsEntry("groups", held);
  }

  @Test
  public void nothingIsKeptOfKeysThatAreUnbound() throws Exception {
    GroupAddress group = of(a, 1);
    hold(a, group);
    List<WeakReference<String>> keys = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String key = "key " + i;
      table.bind(a.member(), key, group, false, 0, Report.EMPTY);
      keys.add(new WeakReference<>(key));
    }
    for (int i = 0; i < 100; i++) {
      table.drop("key " + i);
    }
    awaitCleared(keys);
  }

  @Test
  public void nothingIsKeptOfGroupsThatHaveEnded() throws Exception {
    List<WeakReference<GroupAddress>> groups = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      GroupAddress group = of(b, i);
      hold(a, group);
      hold(b, group);
      groups.add(new WeakReference<>(group));
    }
    for (int i = 0; i < 100; i++) {
      release(a, of(b, i));
      release(b, of(b, i));
    }
    free(a);
    free(b);
    awaitCleared(groups);
  }

  /** Its group or its key may live on for ever, and a host may come again and again. */
  @Test
  public void nothingIsKeptOfMembersThatHaveLeftButWhatTheyPayFor() throws Exception {
    List<WeakReference<Address>> addresses = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Address address = new Address();
      addresses.add(new WeakReference<>(address));
      Joined guest = table.register(address, 0, 0, true, "host 30");
      table.begin(guest.member(), 30);
      hold(guest, of(guest, 1));
      table.bind(guest.member(), "key " + i, of(guest, 1), false, 0, Report.EMPTY);
      hold(a, of(guest, 1));
      table.leave(guest.member());
    }
    assertThat(table.stats()).containsEntry("groups", 100L).containsEntry("keys", 100L);
    awaitCleared(addresses);
  }

  private <T> void awaitCleared(List<WeakReference<T>> references) throws InterruptedException {
    Deadline.awaitCollecting(
        "nothing is kept", () -> references.stream().allMatch(each -> each.get() == null));
    assertThat(table.stats()).containsEntry("members", 2L);
  }
}
