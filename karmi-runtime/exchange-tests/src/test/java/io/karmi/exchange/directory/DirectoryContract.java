package io.karmi.exchange.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.kit.Deadline;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.After;
import org.junit.Test;

/** What each directory of exchange spaces does, by members that have no files. */
public abstract class DirectoryContract {
  private static final GroupAddress[] NONE = {};

  /** Upper bound of the reports in which a directory looks for what members have left. */
  private static final int MOST_PARTS = 256;

  private final List<FakeMember> members = new ArrayList<>();

  /** Joins the space of this test. */
  protected abstract Directory join(Address messaging) throws Exception;

  /** A member of a host. */
  protected FakeMember member(long host) throws Exception {
    FakeMember member = new FakeMember(join(Messaging.ofThisNode().address()), host);
    members.add(member);
    return member;
  }

  protected void leave(FakeMember member, Report last) throws Exception {
    members.remove(member);
    member.directory.leave(last);
  }

  @After
  public void leaveAll() throws Exception {
    for (FakeMember each : List.copyOf(members)) {
      leave(each, Report.EMPTY);
    }
  }

  private static void awaitTold(FakeMember member, GroupAddress... groups) throws Exception {
    for (GroupAddress each : groups) {
      Deadline.await("its host is told of " + each, () -> member.isToldOf(each));
    }
  }

  private static void awaitUnknown(FakeMember member, GroupAddress... groups) throws Exception {
    Deadline.await(
        "the directory does not know it",
        () -> {
          member.tell(Report.EMPTY);
          return List.of(member.files(groups)).containsAll(List.of(groups));
        });
  }

  private static GroupAddress[] groups(FakeMember owner, int count) {
    GroupAddress[] groups = new GroupAddress[count];
    for (int i = 0; i < count; i++) {
      groups[i] = owner.group(i + 1);
    }
    return groups;
  }

  @Test
  public void membersHaveNumbersOfOneSpace() throws Exception {
    Joined a = member(10).directory.joined();
    Joined b = member(20).directory.joined();
    assertThat(a.member()).isPositive().isNotEqualTo(b.member());
    assertThat(new Joined(0, a.generation(), a.space(), a.secret()))
        .isEqualTo(new Joined(0, b.generation(), b.space(), b.secret()));
  }

  @Test
  public void groupsEndWithTheirLastHoldAndEachHostIsTold() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    GroupAddress group = a.group(1);
    a.hold(group);
    b.hold(group);
    assertThat(a.directory.holders(group)).hasSize(2);
    assertThat(a.release(group)).isEmpty();
    assertThat(b.files(group)).isEmpty();
    b.release(group);
    awaitTold(a, group);
    awaitTold(b, group);
    assertThat(a.files(group)).containsExactly(group);
    b.hold(b.group(2));
    assertThat(b.release(b.group(2))).contains(b.group(2));
    assertThat(b.release(b.group(3))).as("never known").contains(b.group(3));
  }

  @Test
  public void ownersWhoHaveNotReportedAreSources() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    assertThat(b.directory.holders(a.group(5))).hasSize(1);
    b.hold(a.group(5)); // told before the owner has
    assertThat(b.directory.holders(a.group(5))).hasSize(2);
    a.hold(a.group(5));
    b.release(a.group(5));
    assertThat(a.files(a.group(5))).isEmpty();
  }

  /** A neighbour may open and close a group before its owner has told of it. */
  @Test
  public void fileOfAnOwnerThatHasNotReportedIsNotItsNeighboursToRemove() throws Exception {
    FakeMember a = member(10);
    FakeMember neighbour = member(10);
    GroupAddress group = a.group(1);
    assertThat(neighbour.files(group)).isEmpty();
    assertThat(neighbour.release(group)).isEmpty();
    a.hold(group);
    assertThat(a.files(group)).isEmpty();
    a.release(group);
    awaitTold(a, group);
    assertThat(neighbour.isToldOf(group)).isFalse();
  }

  @Test
  public void keysHoldTheirGroupsUntilTheyAreReplaced() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    GroupAddress first = a.group(1);
    String key = "a key / with ü and " + "x".repeat(900);
    assertThat(b.directory.lookup(key, 0)).isNull();
    a.bind(key, first, false);
    a.bind(key, first, false);
    a.release(first);
    assertThat(a.files(first)).isEmpty();
    assertThatThrownBy(() -> b.bind(key, b.group(1), false))
        .isInstanceOfSatisfying(
            KeyTakenException.class, e -> assertThat(e.holder()).isEqualTo(first));
    assertThat(b.directory.lookup(key, 0).group()).isEqualTo(first);
    b.bind(key, b.group(1), true);
    awaitTold(a, first);
    Found found = a.directory.lookup(key, 0);
    assertThat(found.group()).isEqualTo(b.group(1));
    assertThat(found.sources()).hasSize(1);
    assertThatThrownBy(
            () ->
                b.directory.bind(
                    "other", a.group(9), false, new Repeated(Report.EMPTY))) // not its own
        .isInstanceOfAny(java.io.IOException.class, IllegalArgumentException.class);
    assertThatThrownBy(() -> b.bind("k".repeat(1025), b.group(1), false))
        .isInstanceOfAny(java.io.IOException.class, IllegalArgumentException.class);
  }

  /** Else it would bind them again when the directory has lost it, or its memory. */
  @Test
  public void membersForgetKeysThatOthersHaveReplaced() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    a.bind("key", a.group(1), false);
    a.bind("other", a.group(2), false);
    a.tell(Report.EMPTY);
    b.bind("key", b.group(1), true);
    a.bind("other", a.group(3), true);
    Deadline.await(
        "it is told",
        () -> {
          a.tell(Report.EMPTY);
          return !a.bound().containsKey("key");
        });
    assertThat(a.bound().get("other").group()).isEqualTo(a.group(3));
    b.bind("other", b.group(2), true);
    Deadline.await(
        "it is told again",
        () -> {
          a.tell(Report.EMPTY);
          return a.bound().isEmpty();
        });
    assertThat(b.bound()).hasSize(2);
  }

  @Test
  public void lookupsWaitForTheirKey() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    assertThat(b.directory.lookup("late", 50)).isNull();
    CompletableFuture<Found> waits = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                Found found = null;
                while (found == null) {
                  found = b.directory.lookup("late", 10_000);
                }
                waits.complete(found);
              } catch (Exception e) {
                waits.completeExceptionally(e);
              }
            });
    waiting.start();
    a.bind("late", a.group(1), false);
    assertThat(waits.get(60, java.util.concurrent.TimeUnit.SECONDS).group()).isEqualTo(a.group(1));
  }

  @Test
  public void referredGroupsLiveAsLongAsWhatRefersToThem() throws Exception {
    FakeMember a = member(10);
    GroupAddress top = a.group(1);
    GroupAddress middle = a.group(2);
    GroupAddress low = a.group(3);
    a.hold(top, middle, low);
    a.refer(top, middle, low);
    a.refer(middle, low);
    a.release(low, middle);
    assertThat(a.files(low, middle)).isEmpty();
    a.release(top);
    awaitTold(a, top, middle, low);
  }

  @Test
  public void countedReadsKeepAGroupAlsoWhereTheyAreReportedFirst() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    GroupAddress group = a.group(1);
    b.read(group);
    a.keep(2, group);
    assertThat(a.files(group)).isEmpty();
    b.read(group);
    awaitTold(a, group);
    a.keep(3, a.group(2));
    for (int i = 0; i < 3; i++) {
      assertThat(a.files(a.group(2))).isEmpty();
      b.read(a.group(2));
    }
    awaitTold(a, a.group(2));
    b.keep(5, a.group(3)); // not the owner
    awaitUnknown(b, a.group(3));
    a.keep(4, a.group(4));
    leave(a, Report.EMPTY); // reads end with their writer
    awaitUnknown(b, a.group(4));
  }

  /** Of a group whose member is gone anyone may speak, and would end it where it is stored. */
  @Test
  public void noOneCountsReadsOfWhatOthersStore() throws Exception {
    FakeMember a = member(10);
    FakeMember neighbour = member(10);
    FakeMember b = member(20);
    GroupAddress group = a.group(1);
    leave(a, Report.EMPTY);
    b.keep(1, group);
    neighbour.keep(Report.STORED, group);
    b.read(group);
    assertThat(neighbour.isToldOf(group)).isFalse();
    assertThat(neighbour.directory.holders(group)).hasSize(2);
  }

  @Test
  public void endOfAMemberEndsItsHoldsAndItsKeysWithTheLastOfTheHost() throws Exception {
    FakeMember a = member(10);
    FakeMember neighbour = member(10);
    FakeMember b = member(20);
    GroupAddress held = a.group(1);
    GroupAddress bound = a.group(2);
    GroupAddress stored = a.group(3);
    GroupAddress both = a.group(4);
    a.hold(held, both);
    b.hold(both);
    a.bind("key", bound, false);
    a.keep(Report.STORED, stored);
    leave(a, Report.EMPTY);
    awaitTold(neighbour, held);
    assertThat(b.directory.lookup("key", 0).sources()).hasSize(1);
    assertThat(neighbour.files(bound, stored, both)).isEmpty();
    leave(neighbour, Report.EMPTY);
    Deadline.await(
        "the key is lost",
        () -> {
          b.tell(Report.EMPTY);
          return b.directory.lookup("key", 0) == null;
        });
    /* Who asks about a file has it: its group is not lost. So the rest of the search comes first. */
    for (int i = 0; i < MOST_PARTS; i++) {
      b.tell(Report.EMPTY);
    }
    awaitUnknown(b, bound, stored);
    assertThat(b.files(both)).isEmpty();
    assertThat(b.directory.holders(both)).hasSize(1);
  }

  /** Who fetches a group holds it first, and tells of its file when that has come. */
  @Test
  public void membersThatHoldAGroupAreAskedForItWhereNoHostIsKnown() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    FakeMember c = member(30);
    GroupAddress group = a.group(1);
    a.bind("key", group, false);
    a.bind("other", a.group(2), false);
    b.tell(holds(group, a.group(2)));
    leave(a, Report.EMPTY);
    Deadline.await(
        "its host is gone",
        () -> {
          c.tell(Report.EMPTY);
          return c.directory.lookup("key", 0) != null
              && c.directory.holders(group).length == 1
              && c.directory.holders(a.group(2)).length == 1;
        });
    assertThat(b.files(group)).isEmpty();
    b.release(group);
    assertThat(c.directory.lookup("key", 0).sources()).hasSize(1);
    assertThatThrownBy(() -> c.bind("key", c.group(1), false))
        .isInstanceOf(KeyTakenException.class);
    Deadline.await(
        "no host is known to have the old one",
        () -> {
          b.tell(Report.EMPTY); // the first member looks for what the host has left, part by part
          return isBound(c, "other", c.group(2));
        });
    b.release(a.group(2));
    assertThat(c.directory.lookup("other", 0).group()).isEqualTo(c.group(2));
  }

  private static boolean isBound(FakeMember by, String key, GroupAddress group) throws Exception {
    try {
      by.bind(key, group, false);
      return true;
    } catch (KeyTakenException e) {
      return false;
    }
  }

  @Test
  public void keysAreLostWithTheLastMemberThatHoldsTheirGroup() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    a.bind("key", a.group(1), false);
    b.tell(holds(a.group(1)));
    leave(a, Report.EMPTY);
    Deadline.await(
        "its host is gone",
        () -> {
          b.tell(Report.EMPTY);
          return b.directory.holders(a.group(1)).length == 1;
        });
    assertThat(b.directory.lookup("key", 0)).isNotNull();
    b.release(a.group(1));
    Deadline.await(
        "the key is lost",
        () -> {
          b.tell(Report.EMPTY);
          return b.directory.lookup("key", 0) == null;
        });
  }

  /** Holds of groups whose files are not there. */
  private static Report holds(GroupAddress... groups) {
    return new Report(groups, new int[groups.length], NONE, NONE, new Report.Dependency[0], NONE);
  }

  @Test
  public void thousandsOfGroupsGoInOneReport() throws Exception {
    FakeMember a = member(10);
    FakeMember b = member(20);
    GroupAddress[] groups = groups(a, 3_000);
    a.hold(groups);
    b.hold(groups);
    assertThat(a.release(groups)).isEmpty();
    b.release(groups);
    awaitTold(a, groups);
    awaitTold(b, groups);
  }

  /** A model: who holds what, against the directory. */
  @Test
  public void randomReportsLeaveWhatIsHeld() throws Exception {
    Random random = new Random(7);
    FakeMember[] both = {member(10), member(20)};
    boolean[][] holds = new boolean[2][30];
    GroupAddress[] groups = groups(both[0], 30);
    both[0].hold(groups);
    java.util.Arrays.fill(holds[0], true);
    for (int step = 0; step < 1_000; step++) {
      int who = random.nextInt(2);
      int which = random.nextInt(30);
      boolean lives = holds[0][which] || holds[1][which];
      if (random.nextBoolean() && lives) {
        both[who].hold(groups[which]);
        holds[who][which] = true;
      } else {
        both[who].release(groups[which]);
        holds[who][which] = false;
      }
    }
    for (int i = 0; i < 30; i++) {
      boolean lives = holds[0][i] || holds[1][i];
      GroupAddress[] unknown = both[1].files(groups[i]);
      assertThat(unknown).as(i + " lives: " + lives).isEqualTo(lives ? NONE : at(groups[i]));
    }
  }

  private static GroupAddress[] at(GroupAddress group) {
    return new GroupAddress[] {group};
  }
}
