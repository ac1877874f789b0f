package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.guard.PeerLog;
import io.karmi.messaging.Address;
import io.karmi.technology.ConnectionSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private static final int MAXIMUM_FREE_AT_ONCE = 10_000;

  /** About what a group takes in memory, and a key beside its text. */
  private static final int GROUP_BYTES = 208;

  private static final int KEY_BYTES = 180;

  /** The same of each member that holds a group, and of each host that has its file. */
  private static final int NUMBER_BYTES = 16;

  /** The same of a member, beside the text of its address. */
  private static final int MEMBER_BYTES = 2048;

  /** The most characters of a member's address. */
  static final int MAXIMUM_ADDRESS = 4096;

  /** About what a group takes that another one refers to. */
  private static final int REFERENCE_BYTES = 40;

  /** The same of a group that has ended, until its host has been told. */
  private static final int FREED_BYTES = 80;

  /** The most groups that one refers to, as in the head of its file. */
  private static final int MAXIMUM_REFERENCES = 0xffff;

  /** The most lines of a list, and the most characters. */
  private static final int MAXIMUM_LINES = 10_000;

  private static final int MAXIMUM_LIST = 4 << 20;

  /** A list is made anew when as many times the time has passed that it took. */
  private static final int LIST_PAUSE = 8;

  /** The largest number of a binding that a member may claim. */
  private static final long MAXIMUM_ORDER = Long.MAX_VALUE / 2;

  /** Time after a restart for which a key that is not bound yet is waited for, in milliseconds. */
  private static final long RECOVERY_MILLIS = 10_000;

  /** The longest that a lookup waits, in milliseconds; who waits longer asks again. */
  private static final long MAXIMUM_WAIT_MILLIS = 10_000;

  private static final int[] NO_ONE = {};
  private static final GroupAddress[] NO_GROUPS = {};

  private final long space;
  private final long secret;

  /* All below is guarded by this. */
  private int generation;
  private long recoveryEndNanos = System.nanoTime();

  /** Whether a member has come that knew the directory before its restart. */
  private boolean recovers;

  private int lastMember;
  private int lastHost;
  private long lastOrder;
  private final Claims claims;
  private final Map<String, Key> keys = new TreeMap<>();
  private final Map<GroupAddress, GroupEntry> groups = new HashMap<>();
  private final Map<Integer, TableMember> members = new LinkedHashMap<>();
  private final Map<Integer, Host> hosts = new HashMap<>();
  private List<String> listed = List.of();
  private long listAgainNanos = System.nanoTime();

  GroupTable(long space, long secret, int generation) {
    this(space, secret, generation, Math.max(1, new ConnectionSettings().maximumConnections / 2));
  }

  /** The same with another number of lookups that may wait at a time. */
  GroupTable(long space, long secret, int generation, int mostWaiting) {
    claims = new Claims(mostWaiting);
    this.space = space;
    this.secret = secret;
    this.generation = generation;
  }

  private record Key(GroupAddress group, long order, TableMember owner) {}

  private static final class Host {
    final long name;

    /** Who pays for the groups that it has. */
    final TableMember payer;

    final List<Integer> members = new ArrayList<>();
    final Noted<GroupAddress> files = new Noted<>();
    final Deque<TableMember.Freed> free = new ArrayDeque<>();
    int departed;

    Host(long name, TableMember payer) {
      this.name = name;
      this.payer = payer;
    }
  }

  /**
   * Takes a member in.
   *
   * @param addressLength characters of its address
   * @param before generation that it has known; 0 for a new one
   * @param payer the host that it calls from, for the ledger
   */
  synchronized Joined register(
      Address messaging, int addressLength, int before, boolean keeps, Object payer) {
    if (addressLength > MAXIMUM_ADDRESS) {
      throw new IllegalArgumentException(
          "an address of " + addressLength + " characters; it may have " + MAXIMUM_ADDRESS);
    }
    TableMember member = new TableMember(messaging, addressLength, keeps, payer);
    claims.enter(member, memberBytes(member));
    if (before != 0 && before != generation && !recovers) {
      recovers = true;
      recoveryEndNanos = System.nanoTime() + RECOVERY_MILLIS * 1_000_000;
      if (Integer.compareUnsigned(before, generation) > 0 && lastMember == 0) {
        generation = before + 1; // the clock was set back
      }
    }
    member.number = ++lastMember;
    members.put(lastMember, member);
    return new Joined(lastMember, generation, space, secret);
  }

  private static long memberBytes(TableMember member) {
    return MEMBER_BYTES + 2L * member.addressLength;
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
    hosts.computeIfAbsent(member.host, any -> new Host(hostName, member)).members.add(number);
  }

  synchronized Report.Answer update(int number, Report changes) {
    TableMember member = member(number);
    List<GroupAddress> free = new ArrayList<>();
    for (int i = 0; i < changes.held().length; i++) {
      hold(member, changes.held()[i], changes.reads()[i]);
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
        addHost(each, known, member);
      }
    }
    for (GroupAddress each : changes.released()) {
      GroupEntry known = groups.get(each);
      if (known == null) {
        freeUnknown(number, member, each, free);
      } else {
        removeUser(known, member);
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
      note(member, group);
      TableMember owner = ownerOf(group);
      if (owner != null && owner != member) {
        note(owner, group);
      }
    }
    return known;
  }

  private void note(TableMember member, GroupAddress group) {
    member.groups.add(group, each -> concerns(member, each));
  }

  /** Whether the end of a member may change a group, also where its host has other members. */
  private boolean concerns(TableMember member, GroupAddress group) {
    GroupEntry entry = groups.get(group);
    return entry != null
        && (entry.payer == member
            || ownerOf(group) == member
            || GroupEntry.contains(entry.users, member.number));
  }

  private void addUser(GroupAddress group, GroupEntry entry, TableMember member) {
    int[] more = GroupEntry.with(entry.users, member.number);
    if (more.length > entry.users.length) {
      claims.grow(member, NUMBER_BYTES);
      if (entry.payer != member && ownerOf(group) != member) {
        note(member, group);
      }
      entry.users = more;
    }
  }

  private void removeUser(GroupEntry entry, TableMember member) {
    int[] less = GroupEntry.without(entry.users, member.number);
    if (less.length < entry.users.length) {
      claims.shrink(member, NUMBER_BYTES);
      entry.users = less;
    }
  }

  /** The host of a member has the file of a group; without effect before the member has begun. */
  private void addHost(GroupAddress group, GroupEntry entry, TableMember member) {
    Host host = hosts.get(member.host);
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

  private void hold(TableMember member, GroupAddress group, int reads) {
    GroupEntry entry = entry(member, group);
    addUser(group, entry, member);
    if (reads != 0 && mayOwn(member.number, group) && !entry.counted) {
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

  /** What a group of a member that lives refers to, only that one may say, and once. */
  private void add(TableMember member, Report.Dependency added) {
    TableMember owner = ownerOf(added.group());
    int count = added.on().length;
    if (count > MAXIMUM_REFERENCES) {
      throw new IllegalArgumentException("a group that refers to " + count);
    }
    if (count == 0 || owner != null && owner != member) {
      return;
    }
    GroupEntry entry = entry(member, added.group());
    if (entry.refersTo.length > 0) {
      return;
    }
    int counted = 0;
    try {
      while (counted < count) {
        GroupEntry on = entry(member, added.on()[counted]);
        claims.grow(entry.payer, REFERENCE_BYTES);
        on.referredTo++;
        counted++;
        if (on.hosts.length == 0) {
          addHost(added.on()[counted - 1], on, member);
        }
      }
    } finally {
      entry.refersTo = Arrays.copyOf(added.on(), counted); // each of these gets one less later
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
      for (int each : entry.hosts) {
        shrinkHost(each);
      }
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

  private void shrinkHost(int number) {
    Host host = hosts.get(number);
    if (host != null) {
      claims.shrink(host.payer, NUMBER_BYTES);
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
    if (length == 0
        || length > MAXIMUM_KEY_BYTES
        || !mayOwn(number, group)
        || order > MAXIMUM_ORDER) {
      throw new IllegalArgumentException(
          "a key of "
              + length
              + " bytes, a group of member "
              + group.member()
              + ", and a binding of number "
              + order);
    }
    Key old = keys.get(key);
    boolean same = old != null && old.group.equals(group);
    if (old != null && !same && !replace && order <= old.order && !isFetchedOnly(old.group)) {
      throw new KeyTakenException(key, old.group);
    }
    if (!same) {
      claims.take(member, keyBytes(key));
      GroupEntry entry = entry(member, group);
      addHost(group, entry, member);
      entry.keys++;
      lastOrder = Math.max(lastOrder + 1, order);
      keys.put(key, new Key(group, lastOrder, member));
      noteKey(key, entry, group, member);
      if (old != null) {
        unbound(key, old);
      }
      notifyAll();
    }
    long given = old != null && same ? old.order : lastOrder;
    return new Report.Answer(answer.free(), answer.departed(), given);
  }

  private void noteKey(String key, GroupEntry entry, GroupAddress group, TableMember member) {
    if (entry.names == null) {
      entry.names = new Noted<>();
    }
    entry.names.add(key, each -> isBound(each, group));
    member.keys.add(key, each -> isBoundBy(each, member));
  }

  private boolean isBound(String key, GroupAddress group) {
    Key found = keys.get(key);
    return found != null && found.group.equals(group);
  }

  private boolean isBoundBy(String key, TableMember member) {
    Key found = keys.get(key);
    return found != null && found.owner == member;
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
    TableMember member = member(number);
    long now = System.nanoTime();
    long end = now + Math.max(0, Math.min(waitMillis, MAXIMUM_WAIT_MILLIS)) * 1_000_000;
    if (recoveryEndNanos - end > 0) {
      end = recoveryEndNanos;
    }
    Key found = keys.get(key);
    if (found == null && end - now > 0 && claims.mayWait(member)) {
      try {
        found = await(key, end);
      } finally {
        claims.waitsNoMore(member);
      }
    }
    return found == null ? null : new Found(found.group, sources(found.group));
  }

  private @Nullable Key await(String key, long end) throws InterruptedException {
    Key found = null;
    for (long left = end - System.nanoTime();
        found == null && left > 0;
        left = end - System.nanoTime()) {
      wait(Math.max(1, left / 1_000_000));
      found = keys.get(key);
    }
    return found;
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
    for (int each : entry == null ? NO_ONE : entry.hosts) {
      Host host = hosts.get(each);
      if (host != null && !host.members.isEmpty() && (owner == null || owner.host != each)) {
        int any = (int) (Math.random() * host.members.size());
        TableMember one = members.get(host.members.get(any));
        if (one != null) {
          sources.add(one.messaging);
        }
      }
    }
    for (int each : entry == null || !sources.isEmpty() ? NO_ONE : entry.users) {
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
      for (String each : member.keys.all()) {
        if (isBoundBy(each, member)) {
          unbound(each, Objects.requireNonNull(keys.remove(each)));
        }
      }
    }
    members.remove(number);
    claims.leave(member, memberBytes(member));
    Host host = hosts.get(member.host);
    if (host != null) {
      host.departed++;
      host.members.remove((Integer) number);
      host.free.addAll(member.free);
    }
    boolean last = host != null && host.members.isEmpty();
    for (GroupAddress each : member.groups.all()) {
      release(each, member, last ? host : null);
    }
    if (host != null && last) {
      for (GroupAddress each : host.files.all()) {
        release(each, member, host);
      }
      hosts.remove(member.host);
      host.free.forEach(each -> claims.shrink(each.payer(), FREED_BYTES));
    }
  }

  private void release(GroupAddress group, TableMember member, @Nullable Host goneHost) {
    GroupEntry entry = groups.get(group);
    if (entry == null) {
      return;
    }
    removeUser(entry, member);
    int[] left = goneHost == null ? entry.hosts : GroupEntry.without(entry.hosts, member.host);
    if (goneHost != null && left.length < entry.hosts.length) {
      claims.shrink(goneHost.payer, NUMBER_BYTES);
      entry.hosts = left;
    }
    if (entry.reads != Report.STORED
        && group.member() == member.number
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
    for (String each : entry.names == null ? List.<String>of() : entry.names.all()) {
      if (isBound(each, group)) {
        Key lost = Objects.requireNonNull(keys.remove(each));
        claims.giveBack(lost.owner, keyBytes(each));
        PeerLog.warn(
            LOG,
            lost.owner.payer,
            "the key " + each + " is lost: group " + group + " has gone with its last host",
            null);
      }
    }
    entry.keys = 0;
  }

  synchronized boolean drop(String keyOrAddress) {
    Key key = keys.remove(keyOrAddress);
    if (key != null) {
      unbound(keyOrAddress, key);
      return true;
    }
    GroupAddress group = address(keyOrAddress);
    GroupEntry entry = group == null ? null : groups.get(group);
    if (group == null || entry == null || entry.reads <= 0) {
      return false;
    }
    entry.reads = 0;
    endIfFree(group);
    return true;
  }

  private static @Nullable GroupAddress address(String text) {
    try {
      return GroupAddress.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Keys first, then stored groups and those with counted reads. A long list is made now and then
   * only: everyone may ask for it.
   */
  synchronized List<String> list(int lineCount) {
    long begin = System.nanoTime();
    if (begin - listAgainNanos >= 0) {
      listed = newList();
      long end = System.nanoTime();
      listAgainNanos = end + LIST_PAUSE * (end - begin);
    }
    return listed.subList(0, Math.max(0, Math.min(lineCount, listed.size())));
  }

  private List<String> newList() {
    List<String> lines = new ArrayList<>();
    long room = MAXIMUM_LIST;
    Iterator<Map.Entry<String, Key>> ofKeys = keys.entrySet().iterator();
    while (room > 0 && lines.size() < MAXIMUM_LINES && ofKeys.hasNext()) {
      Map.Entry<String, Key> each = ofKeys.next();
      lines.add(each.getKey() + "  " + describe(each.getValue().group));
      room -= each.getKey().length();
    }
    Iterator<Map.Entry<GroupAddress, GroupEntry>> ofGroups = groups.entrySet().iterator();
    while (room > 0 && lines.size() < MAXIMUM_LINES && ofGroups.hasNext()) {
      Map.Entry<GroupAddress, GroupEntry> each = ofGroups.next();
      if (each.getValue().reads > 0) {
        lines.add(describe(each.getKey()));
      }
    }
    return List.copyOf(lines);
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
