package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.messaging.Address;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a space: keys, groups and members, all in memory. A group ends when no member holds
 * it, no key is bound to it, no other group refers to it, and no counted read is left; then each
 * host that has its file is told.
 *
 * <p>What members say are claims: they are bounded by a ledger, and a member changes only its own
 * holds. Thread-safe.
 */
final class GroupTable {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  private static final int MAXIMUM_KEY_BYTES = 1024;
  private static final int MAXIMUM_MEMBERS = 10_000;
  private static final int MAXIMUM_FREE_AT_ONCE = 10_000;

  /** About what a group takes in memory, and a key beside its text. */
  private static final int GROUP_BYTES = 240;

  private static final int KEY_BYTES = 120;

  /** About what a group takes that another one refers to. */
  private static final int REFERENCE_BYTES = 40;

  /** The same of a group that has ended, until its host has been told. */
  private static final int FREED_BYTES = 80;

  /** The most groups that one refers to, as in the head of its file. */
  private static final int MAXIMUM_REFERENCES = 0xffff;

  /** The most lines of a list. */
  private static final int MAXIMUM_LINES = 10_000;

  /** Time after a restart for which a key that is not bound yet is waited for, in milliseconds. */
  private static final long RECOVERY_MILLIS = 10_000;

  /** The longest that a lookup waits, in milliseconds; who waits longer asks again. */
  private static final long MAXIMUM_WAIT_MILLIS = 10_000;

  private static final int[] NONE = {};
  private static final GroupAddress[] NO_GROUPS = {};

  private final long space;
  private final long secret;

  /* All below is guarded by this. */
  private int generation;
  private long recoveryEndNanos = System.nanoTime();
  private int lastMember;
  private int lastHost;
  private long lastOrder;
  private final Claims claims = new Claims();
  private final Map<String, Key> keys = new TreeMap<>();
  private final Map<GroupAddress, GroupEntry> groups = new HashMap<>();
  private final Map<Integer, TableMember> members = new LinkedHashMap<>();
  private final Map<Integer, Host> hosts = new HashMap<>();

  GroupTable(long space, long secret, int generation) {
    this.space = space;
    this.secret = secret;
    this.generation = generation;
  }

  private record Key(GroupAddress group, long order, TableMember owner) {}

  private static final class Host {
    final long name;
    final List<Integer> members = new ArrayList<>();
    final Deque<TableMember.Freed> free = new ArrayDeque<>();
    int departed;

    Host(long name) {
      this.name = name;
    }
  }

  /**
   * Takes a member in.
   *
   * @param before generation that it has known; 0 for a new one
   * @param payer the host that it calls from, for the ledger
   */
  synchronized Joined register(Address messaging, int before, boolean keeps, Object payer) {
    if (members.size() >= MAXIMUM_MEMBERS) {
      throw new IllegalStateException("the space has " + MAXIMUM_MEMBERS + " members already");
    }
    if (before != 0 && before != generation) {
      recoveryEndNanos = System.nanoTime() + RECOVERY_MILLIS * 1_000_000;
      if (Integer.compareUnsigned(before, generation) > 0 && lastMember == 0) {
        generation = before + 1; // the clock was set back
      }
    }
    members.put(++lastMember, new TableMember(messaging, keeps, payer));
    return new Joined(lastMember, generation, space, secret);
  }

  private TableMember member(int number) {
    TableMember member = members.get(number);
    if (member == null) {
      throw new IllegalStateException("member " + number + " has left");
    }
    return member;
  }

  synchronized void begin(int number, long hostName) {
    TableMember member = member(number);
    if (member.host != 0) {
      return;
    }
    int known = 0;
    for (Map.Entry<Integer, Host> each : hosts.entrySet()) {
      known = each.getValue().name == hostName ? each.getKey() : known;
    }
    member.host = known == 0 ? ++lastHost : known;
    hosts.computeIfAbsent(member.host, any -> new Host(hostName)).members.add(number);
  }

  synchronized Report.Answer update(int number, Report changes) {
    TableMember member = member(number);
    List<GroupAddress> free = new ArrayList<>();
    for (int i = 0; i < changes.held().length; i++) {
      hold(number, member, changes.held()[i], changes.reads()[i]);
    }
    for (Report.Dependency each : changes.added()) {
      add(member, each);
    }
    for (GroupAddress each : changes.read()) {
      read(member, each);
    }
    for (GroupAddress each : changes.files()) {
      GroupEntry known = groups.get(each);
      if (known == null) {
        freeUnknown(number, member, each, free);
      } else {
        known.hosts = GroupEntry.with(known.hosts, member.host);
      }
    }
    for (GroupAddress each : changes.released()) {
      GroupEntry known = groups.get(each);
      if (known == null) {
        freeUnknown(number, member, each, free);
      } else {
        known.users = GroupEntry.without(known.users, number);
        loseIfNowhere(each, known);
        endIfFree(each);
      }
    }
    boolean asksOnly = changes.files().length > 0 && changes.held().length == 0;
    return answer(member, free, !asksOnly, 0);
  }

  /**
   * The file of a group that is not known here is to be removed, but not by a neighbour of the
   * member that has put it: that one may not have told of it yet, and removes its own files.
   */
  private void freeUnknown(
      int number, TableMember member, GroupAddress group, List<GroupAddress> free) {
    TableMember owner = ownerOf(group);
    if (owner == null || group.member() == number || owner.host != member.host) {
      free.add(group);
    }
  }

  private Report.Answer answer(
      TableMember member, List<GroupAddress> free, boolean whole, long order) {
    Host host = hosts.get(member.host);
    if (whole && host != null) {
      take(member.free, free);
      take(host.free, free);
    }
    return new Report.Answer(free.toArray(NO_GROUPS), host == null ? 0 : host.departed, order);
  }

  private void take(Deque<TableMember.Freed> from, List<GroupAddress> to) {
    while (!from.isEmpty() && to.size() < MAXIMUM_FREE_AT_ONCE) {
      TableMember.Freed next = from.remove();
      claims.shrink(next.payer(), FREED_BYTES);
      to.add(next.group());
    }
  }

  private GroupEntry entry(TableMember member, GroupAddress group) {
    GroupEntry known = groups.get(group);
    if (known == null) {
      claims.take(member, GROUP_BYTES);
      known = new GroupEntry(member);
      groups.put(group, known);
    }
    return known;
  }

  private void hold(int number, TableMember member, GroupAddress group, int reads) {
    GroupEntry entry = entry(member, group);
    entry.users = GroupEntry.with(entry.users, number);
    if (reads != 0 && mayOwn(number, group) && !entry.counted) {
      entry.counted = true;
      entry.reads = reads == Report.STORED ? reads : Math.max(0, entry.reads + reads);
    }
  }

  private void read(TableMember member, GroupAddress group) {
    if (groups.containsKey(group) || ownerOf(group) != null) {
      GroupEntry entry = entry(member, group);
      if (entry.reads != Report.STORED && (entry.reads > 0 || !entry.counted)) {
        entry.reads--;
      }
      endIfFree(group);
    }
  }

  /** The member that has put a group, if it lives and the directory has not been started since. */
  private @Nullable TableMember ownerOf(GroupAddress group) {
    return group.generation() == generation ? members.get(group.member()) : null;
  }

  /** Whether a member has put a group; of what was put before a restart each may say so. */
  private boolean mayOwn(int number, GroupAddress group) {
    return group.member() == number && group.generation() == generation
        || group.generation() != generation;
  }

  private void add(TableMember member, Report.Dependency added) {
    GroupEntry entry = entry(member, added.group());
    if (added.on().length > MAXIMUM_REFERENCES) {
      throw new IllegalArgumentException("a group that refers to " + added.on().length);
    }
    if (entry.refersTo.length == 0) {
      claims.grow(entry.payer, referenceBytes(added.on()));
      entry.refersTo = added.on().clone();
      for (GroupAddress each : added.on()) {
        GroupEntry on = entry(member, each);
        on.referredTo++;
        on.hosts = on.hosts.length == 0 ? GroupEntry.with(on.hosts, member.host) : on.hosts;
      }
    }
  }

  private static long referenceBytes(GroupAddress... refersTo) {
    return (long) refersTo.length * REFERENCE_BYTES;
  }

  /** Ends a group that is free, and those that only it has referred to. */
  private void endIfFree(GroupAddress first) {
    Deque<GroupAddress> left = new ArrayDeque<>(List.of(first));
    while (!left.isEmpty()) {
      GroupAddress group = left.remove();
      GroupEntry entry = groups.get(group);
      if (entry == null || !entry.isFree()) {
        continue;
      }
      groups.remove(group);
      claims.giveBack(entry.payer, GROUP_BYTES + referenceBytes(entry.refersTo));
      tellHosts(group, entry);
      for (GroupAddress each : entry.refersTo) {
        GroupEntry on = groups.get(each);
        if (on != null) {
          on.referredTo--;
          left.add(each);
        }
      }
    }
  }

  private void tellHosts(GroupAddress group, GroupEntry entry) {
    TableMember owner = ownerOf(group);
    for (int each : entry.hosts) {
      Host host = hosts.get(each);
      if (owner != null && owner.host == each) {
        tell(owner.free, group, entry.payer); // it alone knows what else is in a pack
      } else if (host != null) {
        tell(host.free, group, entry.payer);
      }
    }
  }

  /** Where there is no memory for that, the host finds the file when a member of it ends. */
  private void tell(Deque<TableMember.Freed> to, GroupAddress group, TableMember payer) {
    if (claims.tryGrow(payer, FREED_BYTES)) {
      to.add(new TableMember.Freed(group, payer));
    }
  }

  synchronized Report.Answer bind(
      int number, String key, GroupAddress group, boolean replace, long order, Report changes)
      throws KeyTakenException {
    Report.Answer answer = update(number, changes);
    TableMember member = member(number);
    int length = key.getBytes(StandardCharsets.UTF_8).length;
    if (length == 0 || length > MAXIMUM_KEY_BYTES || !mayOwn(number, group)) {
      throw new IllegalArgumentException(
          "a key of " + length + " bytes, and a group of member " + group.member());
    }
    Key old = keys.get(key);
    boolean same = old != null && old.group.equals(group);
    if (old != null && !same && !replace && order <= old.order && !isFetchedOnly(old.group)) {
      throw new KeyTakenException(key, old.group);
    }
    if (!same) {
      claims.take(member, keyBytes(key));
      GroupEntry entry = entry(member, group);
      entry.hosts = GroupEntry.with(entry.hosts, member.host);
      entry.keys++;
      lastOrder = Math.max(lastOrder + 1, order);
      keys.put(key, new Key(group, lastOrder, member));
      if (old != null) {
        unbound(key, old);
      }
      notifyAll();
    }
    long given = old != null && same ? old.order : lastOrder;
    return new Report.Answer(answer.free(), answer.departed(), given);
  }

  private static long keyBytes(String key) {
    return KEY_BYTES + key.getBytes(StandardCharsets.UTF_8).length;
  }

  private void unbound(String key, Key old) {
    claims.giveBack(old.owner, keyBytes(key));
    GroupEntry entry = groups.get(old.group);
    if (entry != null) {
      entry.keys--;
      endIfFree(old.group);
    }
  }

  synchronized @Nullable Found lookup(int number, String key, long waitMillis)
      throws InterruptedException {
    member(number);
    long now = System.nanoTime();
    long end = now + Math.max(0, Math.min(waitMillis, MAXIMUM_WAIT_MILLIS)) * 1_000_000;
    if (recoveryEndNanos - end > 0) {
      end = recoveryEndNanos;
    }
    Key found = keys.get(key);
    while (found == null && end - System.nanoTime() > 0) {
      wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
      found = keys.get(key);
    }
    return found == null ? null : new Found(found.group, sources(found.group));
  }

  synchronized Address[] holders(int number, GroupAddress group) {
    member(number);
    return sources(group);
  }

  /**
   * One member of each host that has a group's file, the owner where it lives, in any order. Where
   * there is none, those who hold it: they may have it, and not have told of it yet.
   */
  private Address[] sources(GroupAddress group) {
    TableMember owner = ownerOf(group);
    List<Address> sources = new ArrayList<>();
    if (owner != null) {
      sources.add(owner.messaging);
    }
    GroupEntry entry = groups.get(group);
    for (int each : entry == null ? NONE : entry.hosts) {
      Host host = hosts.get(each);
      if (host != null && !host.members.isEmpty() && (owner == null || owner.host != each)) {
        int any = (int) (Math.random() * host.members.size());
        TableMember one = members.get(host.members.get(any));
        if (one != null) {
          sources.add(one.messaging);
        }
      }
    }
    for (int each : entry == null || !sources.isEmpty() ? NONE : entry.users) {
      TableMember holder = members.get(each);
      if (holder != null) {
        sources.add(holder.messaging);
      }
    }
    Collections.shuffle(sources);
    return sources
        .subList(0, Math.min(sources.size(), Directory.MAXIMUM_SOURCES))
        .toArray(new Address[0]);
  }

  /** Ends a member, which has left or is dead. Without effect the second time. */
  synchronized void leave(int number) {
    TableMember member = members.get(number);
    if (member == null) {
      return;
    }
    if (!member.keeps) {
      for (Map.Entry<String, Key> each : List.copyOf(keys.entrySet())) {
        if (each.getValue().owner == member) {
          keys.remove(each.getKey());
          unbound(each.getKey(), each.getValue());
        }
      }
    }
    members.remove(number);
    Host host = hosts.get(member.host);
    boolean last = false;
    if (host != null) {
      host.departed++;
      host.members.remove((Integer) number);
      host.free.addAll(member.free);
      last = host.members.isEmpty();
      if (last) {
        hosts.remove(member.host);
        host.free.forEach(each -> claims.shrink(each.payer(), FREED_BYTES));
      }
    }
    for (GroupAddress each : List.copyOf(groups.keySet())) {
      release(each, number, last ? member.host : 0);
    }
  }

  private void release(GroupAddress group, int number, int goneHost) {
    GroupEntry entry = groups.get(group);
    if (entry == null) {
      return;
    }
    entry.users = GroupEntry.without(entry.users, number);
    entry.hosts = GroupEntry.without(entry.hosts, goneHost);
    if (entry.reads != Report.STORED
        && group.member() == number
        && group.generation() == generation) {
      entry.reads = 0;
    }
    loseIfNowhere(group, entry);
    endIfFree(group);
  }

  /** Whether who holds a group is all that may have its file. */
  private boolean isFetchedOnly(GroupAddress group) {
    GroupEntry entry = groups.get(group);
    return entry == null || entry.hosts.length == 0 && ownerOf(group) == null;
  }

  /** Gives up a group that no host has, and no member that may have fetched it. */
  private void loseIfNowhere(GroupAddress group, GroupEntry entry) {
    if (!isFetchedOnly(group) || entry.users.length > 0) {
      return;
    }
    entry.reads = 0;
    entry.counted = false; // a stored one is reported again by the next member of its host
    if (entry.keys > 0) {
      keys.entrySet()
          .removeIf(
              each -> {
                boolean lost = each.getValue().group.equals(group);
                if (lost) {
                  claims.giveBack(each.getValue().owner, keyBytes(each.getKey()));
                  LOG.log(
                      System.Logger.Level.WARNING,
                      "the key {0} is lost: group {1} has gone with the last member of its host",
                      each.getKey(),
                      group);
                }
                return lost;
              });
      entry.keys = 0;
    }
  }

  synchronized boolean drop(String keyOrAddress) {
    Key key = keys.remove(keyOrAddress);
    if (key != null) {
      unbound(keyOrAddress, key);
      return true;
    }
    for (Map.Entry<GroupAddress, GroupEntry> each : groups.entrySet()) {
      if (each.getKey().toString().equals(keyOrAddress) && each.getValue().reads > 0) {
        each.getValue().reads = 0;
        endIfFree(each.getKey());
        return true;
      }
    }
    return false;
  }

  /** Keys first, then stored groups and those with counted reads. */
  synchronized List<String> list(int lineCount) {
    int most = Math.min(lineCount, MAXIMUM_LINES);
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, Key> each : keys.entrySet()) {
      if (lines.size() < most) {
        lines.add(each.getKey() + "  " + describe(each.getValue().group));
      }
    }
    for (Map.Entry<GroupAddress, GroupEntry> each : groups.entrySet()) {
      if (lines.size() < most && each.getValue().reads > 0) {
        lines.add(describe(each.getKey()));
      }
    }
    return lines;
  }

  private String describe(GroupAddress group) {
    GroupEntry entry = groups.get(group);
    return group + (entry == null ? "  lost" : entry.toString());
  }

  synchronized Map<String, Long> stats() {
    Map<String, Long> stats = new TreeMap<>();
    stats.put("generation", (long) generation);
    stats.put("groups", (long) groups.size());
    stats.put("hosts", (long) hosts.size());
    stats.put("keys", (long) keys.size());
    stats.put("members", (long) members.size());
    stats.put("bytes", claims.takenBytes());
    return stats;
  }

  /** Numbers of all members, for tests. */
  synchronized Collection<Integer> members() {
    return List.copyOf(members.keySet());
  }
}
