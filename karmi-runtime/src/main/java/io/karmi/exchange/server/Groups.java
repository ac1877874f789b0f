package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Report;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The groups of a space: who holds them, which hosts have their files. Guarded by the table. */
final class Groups {
  /** The most groups of an answer that have ended, and that a report says to be there. */
  static final int MAXIMUM_FREE_AT_ONCE = 10_000;

  /** The most groups that one refers to, as in the head of its file. */
  private static final int MAXIMUM_REFERENCES = 0xffff;

  /** About what a group takes in memory, in bytes. */
  private static final int GROUP_BYTES = 208;

  /** The same of each member that holds a group, and of each host that has its file. */
  private static final int NUMBER_BYTES = 16;

  /** The same of a group that another one refers to. */
  private static final int REFERENCE_BYTES = 40;

  /** The same of a note: that a group has ended, for its host, or was read, for its owner. */
  private static final int FREED_BYTES = 80;

  /** One in this many groups may be in circles that have not been searched for. */
  private static final int SHARE_OF_CIRCLES = 8;

  private final Members members;
  private final Claims claims;
  private final BooleanSupplier isRecovering;
  private final Map<GroupAddress, GroupEntry> groups = new HashMap<>();

  /** Groups that may end when all members have reported again. */
  private final Set<GroupAddress> endLater = new HashSet<>();

  /**
   * How often since the last search a group was left to the groups that refer to it, after the
   * member that paid for it had left.
   */
  private int leftToReferences;

  /**
   * No groups yet.
   *
   * @param isRecovering whether members may hold groups that they have not reported again
   */
  Groups(Members members, Claims claims, BooleanSupplier isRecovering) {
    this.members = members;
    this.claims = claims;
    this.isRecovering = isRecovering;
  }

  @Nullable GroupEntry find(GroupAddress group) {
    return groups.get(group);
  }

  Collection<Map.Entry<GroupAddress, GroupEntry>> all() {
    return groups.entrySet();
  }

  /** A group that a member speaks of, which pays for it if it is new. */
  GroupEntry entry(TableMember member, GroupAddress group) {
    GroupEntry known = groups.get(group);
    if (known == null) {
      claims.take(member, GROUP_BYTES);
      known = new GroupEntry(member);
      groups.put(group, known);
      note(member, group);
      TableMember owner = members.ownerOf(group);
      if (owner != null && owner != member) {
        note(owner, group);
      }
    }
    return known;
  }

  private void note(TableMember member, GroupAddress group) {
    member.groups.add(group, each -> concerns(member, each));
  }

  /** A member has less to do with some group. */
  private void forget(TableMember member) {
    member.groups.dates(each -> concerns(member, each));
  }

  /** Whether the end of a member may change a group, also where its host has other members. */
  private boolean concerns(TableMember member, GroupAddress group) {
    GroupEntry entry = groups.get(group);
    return entry != null
        && (entry.payer == member
            || members.ownerOf(group) == member
            || entry.countedBy == member.number
            || GroupEntry.contains(entry.users, member.number));
  }

  /** A member holds a group; its owner also says how many reads there are to be. */
  void hold(TableMember member, GroupAddress group, int reads) {
    GroupEntry entry = entry(member, group);
    addUser(group, entry, member);
    if (entry.isDropped()) {
      dropAgain(member, group, reads);
    } else if (reads != 0 && members.mayOwn(member.number, group)) {
      if (entry.countedBy == 0 || reads == Report.STORED) { // which ends by a drop alone
        entry.reads = reads == Report.STORED ? reads : Math.max(0, entry.reads + reads);
      }
      entry.countedBy = member.number; // its owner may have another number, and not end with this
    }
  }

  /** The host of one that has it stored did not know that it was dropped. */
  private void dropAgain(TableMember member, GroupAddress group, int reads) {
    TableHost host = members.host(member.host);
    if (host != null && reads == Report.STORED) {
      tell(host.dropped, group, member);
    }
  }

  /**
   * Ends that a group is stored. Any host that has its file, or says so, may have it in its store,
   * and is told if it has memory for that.
   */
  void drop(GroupAddress group, GroupEntry entry) {
    for (int each : entry.hosts) {
      TableHost host = members.host(each);
      if (host != null) {
        tell(host.dropped, group, host.payer); // who has spoken of it first may be anyone
      }
    }
    entry.reads = 0;
    entry.countedBy = GroupEntry.DROPPED;
  }

  private void addUser(GroupAddress group, GroupEntry entry, TableMember member) {
    int[] more = GroupEntry.with(entry.users, member.number);
    if (more.length > entry.users.length) {
      claims.grow(member, NUMBER_BYTES);
      if (entry.payer != member && members.ownerOf(group) != member) {
        note(member, group);
      }
      entry.users = more;
    }
  }

  void removeUser(GroupEntry entry, TableMember member) {
    int[] less = GroupEntry.without(entry.users, member.number);
    if (less.length < entry.users.length) {
      claims.shrink(member, NUMBER_BYTES);
      entry.users = less;
      forget(member);
    }
  }

  /** The host of a member has the file of a group; without effect before the member has begun. */
  void addHost(GroupAddress group, GroupEntry entry, TableMember member) {
    TableHost host = members.host(member.host);
    int[] more = host == null ? entry.hosts : GroupEntry.with(entry.hosts, member.host);
    if (host != null && more.length > entry.hosts.length) {
      claims.grow(host.payer, NUMBER_BYTES);
      host.files.add(group, each -> isAt(member.host, each));
      entry.hosts = more;
    }
  }

  private boolean isAt(int host, GroupAddress group) {
    GroupEntry entry = groups.get(group);
    return entry != null && GroupEntry.contains(entry.hosts, host);
  }

  /** A host whose last member was this one has no files any more. */
  void removeHost(GroupEntry entry, TableMember member, TableHost gone) {
    int[] left = GroupEntry.without(entry.hosts, member.host);
    if (left.length < entry.hosts.length) {
      claims.shrink(gone.payer, NUMBER_BYTES);
      entry.hosts = left;
    }
  }

  /** A member has read a group, of which a number of reads is left, or is yet to be told. */
  void read(TableMember member, GroupAddress group) {
    TableMember owner = members.ownerOf(group);
    if (groups.containsKey(group) || owner != null) {
      GroupEntry entry = entry(member, group);
      if (entry.reads != Report.STORED
          && (entry.reads > 0
              || entry.countedBy == 0 && owner != null && isNoted(member, owner, group, entry))) {
        entry.reads--;
      }
      endIfFree(group);
    }
  }

  /** Notes an early read with the owner; false if there is no memory for that. */
  private boolean isNoted(
      TableMember member, TableMember owner, GroupAddress group, GroupEntry entry) {
    if (entry.reads < 0) {
      return true; // by an earlier one
    }
    boolean noted = claims.tryGrow(member, FREED_BYTES);
    if (noted) {
      owner.early.add(new TableMember.EarlyRead(group, member, System.nanoTime()));
    }
    return noted;
  }

  /**
   * An owner has reported: of what was read for so long, and it has not told of till now, there is
   * nothing, or no more, as its owner alone can know.
   */
  void endEarlyReads(TableMember owner) {
    long end = System.nanoTime() - Recovery.REPORTING_MILLIS * 1_000_000;
    while (!owner.early.isEmpty() && owner.early.element().sinceNanos() - end < 0) {
      GroupAddress group = forgetFirst(owner);
      GroupEntry entry = groups.get(group);
      if (entry != null && entry.countedBy == 0 && entry.reads < 0) {
        entry.forgetReads();
        endIfFree(group);
      }
    }
  }

  /** An owner has left, and all reads of its groups go with it. */
  void forgetEarlyReads(TableMember owner) {
    while (!owner.early.isEmpty()) {
      forgetFirst(owner);
    }
  }

  private GroupAddress forgetFirst(TableMember owner) {
    TableMember.EarlyRead first = owner.early.remove();
    claims.shrink(first.payer(), FREED_BYTES);
    return first.group();
  }

  /**
   * What a group of a member that lives refers to, only that one may say, and each member once. To
   * say the same again changes nothing.
   */
  void add(TableMember member, Report.Dependency added) {
    TableMember owner = members.ownerOf(added.group());
    int count = added.on().length;
    if (count > MAXIMUM_REFERENCES) {
      throw new IllegalArgumentException("a group that refers to " + count);
    }
    if (count == 0 || owner != null && owner != member) {
      return;
    }
    GroupEntry entry = entry(member, added.group());
    for (References each = entry.refersTo; each != null; each = each.next()) {
      if (each.member() == member.number || Arrays.equals(each.on(), added.on())) {
        return;
      }
    }
    int counted = 0;
    try {
      while (counted < count) {
        GroupEntry on = entry(member, added.on()[counted]);
        claims.grow(member, REFERENCE_BYTES);
        on.referredTo++;
        counted++;
        if (on.hosts.length == 0) {
          addHost(added.on()[counted - 1], on, member);
        }
      }
    } finally {
      GroupAddress[] on = Arrays.copyOf(added.on(), counted);
      entry.refersTo = new References(member.number, member.payer, on, entry.refersTo);
    }
  }

  /** Whether who holds a group is all that may have its file. */
  boolean isFetchedOnly(GroupAddress group) {
    GroupEntry entry = groups.get(group);
    return entry == null || entry.hosts.length == 0 && members.ownerOf(group) == null;
  }

  /** Ends a group that is free, and those that only it has referred to. */
  void endIfFree(GroupAddress first) {
    if (isRecovering.getAsBoolean()) {
      endLater.add(first);
      return;
    }
    Deque<GroupAddress> left = new ArrayDeque<>(List.of(first));
    while (!left.isEmpty()) {
      GroupAddress group = left.remove();
      GroupEntry entry = groups.get(group);
      if (entry == null || !entry.isFree()) {
        if (entry != null && entry.isKeptByReferencesAlone() && !members.isIn(entry.payer)) {
          leftToReferences++;
        }
        continue;
      }
      groups.remove(group);
      claims.giveBack(entry.payer, GROUP_BYTES);
      forget(entry.payer);
      TableMember owner = members.ownerOf(group);
      if (owner != null && owner != entry.payer) {
        forget(owner);
      }
      for (int each : entry.hosts) {
        shrinkHost(each);
      }
      tellHosts(group, entry);
      for (References each = entry.refersTo; each != null; each = each.next()) {
        forget(each, left);
      }
    }
  }

  private void forget(References ended, Deque<GroupAddress> free) {
    claims.shrinkOf(ended.payer(), (long) ended.on().length * REFERENCE_BYTES);
    for (GroupAddress each : ended.on()) {
      GroupEntry on = groups.get(each);
      if (on != null) {
        on.referredTo--;
        free.add(each);
      }
    }
  }

  /** Ends what was kept because members had not reported again, and circles if it is time. */
  void endWhatWaited() {
    if (isRecovering.getAsBoolean()) {
      return;
    }
    if (!endLater.isEmpty()) {
      List<GroupAddress> all = List.copyOf(endLater);
      endLater.clear();
      all.forEach(this::endIfFree);
    }
    if (leftToReferences > groups.size() / SHARE_OF_CIRCLES) {
      leftToReferences = 0;
      endCircles();
    }
  }

  /**
   * Ends groups that only each other keep. A group refers to what was there before it, so a circle
   * is a lie; it would stay, at its host's expense, when the liar has left. A search looks at each
   * group, and is made when as many as {@link #SHARE_OF_CIRCLES} allows may be in circles: so it
   * costs a few steps for each of those.
   */
  private void endCircles() {
    Set<GroupAddress> kept = new HashSet<>(); // by references that begin outside of all circles
    for (GroupEntry each : groups.values()) {
      if (!each.isKeptByReferencesAlone()) {
        keepWhatItRefersTo(each, kept);
      }
    }
    List<References> circular = new ArrayList<>();
    groups.forEach(
        (group, entry) -> {
          if (entry.isKeptByReferencesAlone() && !kept.contains(group)) {
            for (References each = entry.refersTo; each != null; each = each.next()) {
              circular.add(each);
            }
            entry.refersTo = null;
          }
        });
    Deque<GroupAddress> free = new ArrayDeque<>();
    circular.forEach(each -> forget(each, free));
    free.forEach(this::endIfFree);
  }

  private void keepWhatItRefersTo(GroupEntry first, Set<GroupAddress> kept) {
    Deque<GroupEntry> left = new ArrayDeque<>(List.of(first));
    while (!left.isEmpty()) {
      for (References of = left.remove().refersTo; of != null; of = of.next()) {
        for (GroupAddress each : of.on()) {
          GroupEntry on = groups.get(each);
          if (on != null && on.isKeptByReferencesAlone() && kept.add(each)) {
            left.add(on);
          }
        }
      }
    }
  }

  private void shrinkHost(int number) {
    TableHost host = members.host(number);
    if (host != null) {
      claims.shrink(host.payer, NUMBER_BYTES);
      host.files.dates(each -> isAt(number, each));
    }
  }

  private void tellHosts(GroupAddress group, GroupEntry entry) {
    TableMember owner = members.ownerOf(group);
    for (int each : entry.hosts) {
      TableHost host = members.host(each);
      if (owner != null && owner.host == each) {
        tell(owner.free, group, entry.payer); // it alone knows what else is in a pack
      } else if (host != null) {
        tell(host.free, group, entry.payer);
      }
    }
  }

  /** Where there is no memory for that, the host finds the file when a member of it ends. */
  void tell(Deque<TableMember.Freed> to, GroupAddress group, TableMember payer) {
    if (claims.tryGrow(payer, FREED_BYTES)) {
      to.add(new TableMember.Freed(group, payer));
    }
  }

  /** Moves groups that have ended to an answer, as many as one may have. */
  void takeFreed(Deque<TableMember.Freed> from, List<GroupAddress> to) {
    while (!from.isEmpty() && to.size() < MAXIMUM_FREE_AT_ONCE) {
      to.add(giveBack(from.remove()));
    }
  }

  /** Groups of which an answer tells that may be lost; the same until they are heard of. */
  List<GroupAddress> first(Deque<TableMember.Freed> of) {
    return of.stream().limit(MAXIMUM_FREE_AT_ONCE).map(TableMember.Freed::group).toList();
  }

  /** An answer with these, in order, has come; one before it may have had some of them, too. */
  void heard(Deque<TableMember.Freed> of, GroupAddress... groupsOfAnswer) {
    for (GroupAddress each : groupsOfAnswer) {
      if (!of.isEmpty() && of.element().group().equals(each)) {
        giveBack(of.remove());
      }
    }
  }

  /** Their host has no member any more that could remove the files. */
  void forgetFreed(Deque<TableMember.Freed> from) {
    from.forEach(this::giveBack);
    from.clear();
  }

  private GroupAddress giveBack(TableMember.Freed freed) {
    claims.shrink(freed.payer(), FREED_BYTES);
    return freed.group();
  }
}
