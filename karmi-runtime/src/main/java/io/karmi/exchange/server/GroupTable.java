package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.DroppedKey;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.messaging.Address;
import io.karmi.technology.ConnectionSettings;
import java.rmi.NoSuchObjectException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
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
  /** The most lines of a list, and the most characters of its keys. */
  private static final int MAXIMUM_LINES = 10_000;

  private static final int MAXIMUM_LIST = 4 << 20;

  /** A list is made anew when as many times the time has passed that it took. */
  private static final int LIST_PAUSE = 8;

  /**
   * Time after a restart in milliseconds, within which members report again what they hold. A key
   * that is not bound yet is waited for, and no group ends.
   */
  private static final long RECOVERY_MILLIS = 10_000;

  /**
   * The part of that within which members that run report again, as they give signs of life. Until
   * then who has bound a key may have been followed by another one.
   */
  private static final long REPORTING_MILLIS = 3_000;

  /** The longest that a lookup waits, in milliseconds; who waits longer asks again. */
  private static final long MAXIMUM_WAIT_MILLIS = 10_000;

  private static final int[] NO_ONE = {};
  private static final GroupAddress[] NO_GROUPS = {};

  private final long space;
  private final long secret;

  /* All below is guarded by this. */
  private final Claims claims;
  private final Members members;
  private final Groups groups;
  private final Keys keys;
  private final DroppedKeys droppedKeys;

  /** Keys and groups that are waited for. What is told of others wakes no one. */
  private final Map<Object, Waiting> awaited = new HashMap<>();

  /** For those who wait until members have heard what was dropped. */
  private final Waiting hearing = new Waiting();

  private long recoveryEndNanos = System.nanoTime();

  /** Whether a member has come that knew the directory before its restart. */
  private boolean recovers;

  private List<String> listed = List.of();
  private long listAgainNanos = System.nanoTime();

  GroupTable(long space, long secret, int generation) {
    this(space, secret, generation, Math.max(1, new ConnectionSettings().maximumConnections / 2));
  }

  /** The same with another number of lookups that may wait at a time. */
  GroupTable(long space, long secret, int generation, int mostWaiting) {
    claims = new Claims(mostWaiting);
    members = new Members(claims, generation);
    groups = new Groups(members, claims, this::isRecovering);
    droppedKeys = new DroppedKeys(claims);
    keys = new Keys(groups, members, claims, droppedKeys);
    this.space = space;
    this.secret = secret;
  }

  /** No member has known another directory before this one; for tests. */
  synchronized GroupTable withoutPredecessor() {
    recoveryEndNanos -= REPORTING_MILLIS * 1_000_000;
    return this;
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
    TableMember member = members.admit(messaging, addressLength, keeps, payer);
    if (before != 0 && before != members.generation() && !recovers) {
      recovers = true;
      recoveryEndNanos = System.nanoTime() + RECOVERY_MILLIS * 1_000_000;
      members.follow(before);
    }
    member.returns = before == members.generation();
    members.enter(member);
    return new Joined(member.number, members.generation(), space, secret);
  }

  synchronized void begin(int number, long hostName, DroppedKey... dropped)
      throws NoSuchObjectException {
    TableMember member = members.require(number);
    members.begin(member, hostName);
    keys.dropAgain(member, dropped);
  }

  private boolean isRecovering() {
    return recovers && leftToReport() > 0;
  }

  /**
   * Nanoseconds in which members may report what they had before a restart. Until one of them has
   * come, each start may be one behind another.
   */
  private long leftToReport() {
    long unknown = recovers ? 0 : REPORTING_MILLIS * 1_000_000;
    return recoveryEndNanos + unknown - System.nanoTime();
  }

  synchronized Report.Answer update(int number, Report changes) throws NoSuchObjectException {
    TableMember member = members.require(number);
    boolean asksOnly = changes.files().length > 0 && changes.held().length == 0;
    return answer(member, change(member, changes), !asksOnly, 0);
  }

  /**
   * A member has been told that no key is bound to these groups of it any more, and that its host
   * is not to store others of them; and of keys that were dropped, up to one with a number.
   */
  synchronized void heard(int number, GroupAddress[] unbound, GroupAddress[] dropped, int last)
      throws NoSuchObjectException {
    TableMember member = members.require(number);
    groups.heard(member.unbound, unbound);
    TableHost host = members.host(member.host);
    if (host != null) {
      groups.heard(host.dropped, dropped);
    }
    member.heardDropped = Math.max(member.heardDropped, Math.min(last, droppedKeys.last()));
    hearing.changed();
  }

  /** Does what a report says; returns some groups that are not known: their files are to go. */
  private List<GroupAddress> change(TableMember member, Report changes) {
    groups.endWhatWaited();
    List<GroupAddress> free = new ArrayList<>();
    for (int i = 0; i < changes.held().length; i++) {
      groups.hold(member, changes.held()[i], changes.reads()[i]);
    }
    for (Report.Dependency each : changes.added()) {
      groups.add(member, each);
    }
    for (GroupAddress each : changes.read()) {
      groups.read(member, each);
    }
    for (GroupAddress each : changes.files()) {
      freeUnlessKnown(member, each, free);
    }
    for (GroupAddress each : changes.released()) {
      GroupEntry known = groups.find(each);
      if (known == null) {
        freeUnknown(member, each, free);
      } else {
        groups.removeUser(known, member);
        loseIfNowhere(each, known);
        groups.endIfFree(each);
      }
    }
    tell(List.of(changes.held()));
    tell(List.of(changes.released()));
    tell(List.of(changes.files()));
    for (Report.Dependency each : changes.added()) {
      tell(List.of(each.on()));
    }
    return free;
  }

  /** The file of a group that has ended is to be removed, unless someone has held it again. */
  private void freeUnlessKnown(TableMember member, GroupAddress group, List<GroupAddress> free) {
    GroupEntry known = groups.find(group);
    if (known == null) {
      freeUnknown(member, group, free);
    } else {
      groups.addHost(group, known, member);
    }
  }

  /**
   * The file of a group that is not known here is to be removed, but not by a neighbour of the
   * member that has put it: that one may not have told of it yet, and removes its own files. After
   * a restart those who hold it may not have told of it yet.
   */
  private void freeUnknown(TableMember member, GroupAddress group, List<GroupAddress> free) {
    if (isRecovering()) {
      groups.addHost(group, groups.entry(member, group), member);
      groups.endIfFree(group);
      return;
    }
    TableMember owner = members.ownerOf(group);
    boolean mayRemove =
        owner == null || group.member() == member.number || owner.host != member.host;
    if (mayRemove && free.size() < Groups.MAXIMUM_FREE_AT_ONCE) {
      free.add(group);
    }
  }

  private Report.Answer answer(
      TableMember member, List<GroupAddress> free, boolean whole, long order) {
    TableHost host = members.host(member.host);
    if (whole && host != null) {
      List<GroupAddress> ended = new ArrayList<>();
      groups.takeFreed(member.free, ended);
      groups.takeFreed(host.free, ended);
      List<GroupAddress> told = new ArrayList<>();
      for (GroupAddress each : ended) {
        freeUnlessKnown(member, each, told);
      }
      free.addAll(told);
      hearing.changed();
    }
    List<GroupAddress> unbound = groups.first(member.unbound);
    List<GroupAddress> dropped = host == null ? List.of() : groups.first(host.dropped);
    return new Report.Answer(
        free.toArray(NO_GROUPS),
        unbound.toArray(NO_GROUPS),
        dropped.toArray(NO_GROUPS),
        droppedKeys.after(member.heardDropped),
        host == null ? 0 : host.departed,
        order);
  }

  Report.Answer bind(
      int number, String key, GroupAddress group, boolean replace, long order, Report changes)
      throws NoSuchObjectException, KeyTakenException, InterruptedException {
    synchronized (this) {
      TableMember member = members.require(number);
      for (GroupAddress each : change(member, changes)) {
        groups.tell(member.free, each, member); // with the next answer, if this is none
      }
    }
    if (!replace && order == 0) {
      awaitEarlier(number, key);
    }
    synchronized (this) {
      TableMember member = members.require(number);
      long given = keys.bind(member, key, group, replace, order);
      tell(List.of(key));
      return answer(member, new ArrayList<>(), true, given);
    }
  }

  /** After a restart who has bound a key may not have told of it. */
  private void awaitEarlier(int number, String key)
      throws NoSuchObjectException, InterruptedException {
    boolean isFree;
    synchronized (this) {
      isFree = keys.find(key) == null;
    }
    if (isFree) {
      await(number, key, () -> left(key, System.nanoTime()));
    }
  }

  @Nullable Found lookup(int number, String key, long waitMillis)
      throws NoSuchObjectException, InterruptedException {
    long waitNanos = Math.max(0, Math.min(waitMillis, MAXIMUM_WAIT_MILLIS)) * 1_000_000;
    long end = System.nanoTime() + waitNanos;
    await(number, key, () -> left(key, end));
    synchronized (this) {
      GroupAddress found = keys.find(key);
      return found == null ? null : new Found(found, sources(found));
    }
  }

  /** Who has been told of these may go on. */
  private void tell(Collection<?> ofThese) {
    if (!awaited.isEmpty()) {
      for (Object each : ofThese) {
        Waiting waiting = awaited.get(each);
        if (waiting != null) {
          waiting.changed();
        }
      }
    }
  }

  /**
   * Waits until a key or a group has been told of, if so many may wait.
   *
   * @param left nanoseconds for which it is waited for as things are; asked with this table's lock
   */
  private void await(int number, Object what, LongSupplier left)
      throws NoSuchObjectException, InterruptedException {
    Object payer;
    synchronized (this) {
      payer = members.require(number).payer;
      if (left.getAsLong() <= 0 || !claims.mayWait(payer)) {
        return;
      }
    }
    await(payer, what, left);
  }

  private void await(@Nullable Object payer, Object what, LongSupplier left)
      throws InterruptedException {
    Waiting on;
    synchronized (this) {
      on = awaited.computeIfAbsent(what, any -> new Waiting());
      on.waiters++;
    }
    try {
      await(on, left);
    } finally {
      synchronized (this) {
        if (--on.waiters == 0) {
          awaited.remove(what);
        }
        claims.waitsNoMore(payer);
      }
    }
  }

  private void await(Waiting on, LongSupplier left) throws InterruptedException {
    while (true) {
      int seen;
      long nanos;
      synchronized (this) {
        seen = on.changes();
        nanos = left.getAsLong();
      }
      if (nanos <= 0) {
        return;
      }
      on.await(seen, nanos);
    }
  }

  /** Nanoseconds for which a key is waited for: to an end, and while its binding is not known. */
  private long left(String key, long end) {
    if (keys.find(key) == null) {
      return Math.max(end - System.nanoTime(), leftToReport());
    }
    long reportedNanos = recoveryEndNanos - (RECOVERY_MILLIS - REPORTING_MILLIS) * 1_000_000;
    return recovers && keys.isOfEarlier(key) ? reportedNanos - System.nanoTime() : 0;
  }

  /**
   * Who has a group. After a restart those who have it may not have told of it: they are awaited.
   */
  Address[] holders(int number, GroupAddress group)
      throws NoSuchObjectException, InterruptedException {
    await(number, group, () -> sources(group).length > 0 ? 0 : leftToReport());
    synchronized (this) {
      return sources(group);
    }
  }

  /**
   * The owner of a group where it lives, and one member of each host that has the file, in any
   * order. Where there is none, those who hold the group: they may have the file, and not have told
   * of it yet.
   *
   * <p>Who has a file is a claim of the members, and so is how many hosts they are: of those that
   * call from one host, more than one is named only if there is room.
   */
  private Address[] sources(GroupAddress group) {
    TableMember owner = members.ownerOf(group);
    GroupEntry entry = groups.find(group);
    List<TableMember> others = new ArrayList<>();
    for (int each : entry == null ? NO_ONE : entry.hosts) {
      TableHost host = members.host(each);
      TableMember one = host == null ? null : members.anyOf(host);
      if (one != null && (owner == null || owner.host != each)) {
        others.add(one);
      }
    }
    if (entry != null && owner == null && others.isEmpty()) {
      for (int each : entry.users) {
        TableMember holder = members.find(each);
        if (holder != null) {
          others.add(holder);
        }
      }
    }
    Collections.shuffle(others);
    return some(owner, others);
  }

  private static Address[] some(@Nullable TableMember owner, List<TableMember> others) {
    List<Address> first = new ArrayList<>();
    List<Address> more = new ArrayList<>();
    Set<Object> callers = new HashSet<>();
    if (owner != null) {
      first.add(owner.messaging());
      callers.add(owner.payer);
    }
    for (TableMember each : others) {
      (callers.add(each.payer) ? first : more).add(each.messaging());
    }
    first.addAll(more);
    List<Address> some = first.subList(0, Math.min(first.size(), Directory.MAXIMUM_SOURCES));
    Collections.shuffle(some);
    return some.toArray(new Address[0]);
  }

  /** Ends a member, which has left or is dead. Without effect the second time. */
  synchronized void leave(int number) {
    TableMember member = members.find(number);
    if (member == null) {
      return;
    }
    keys.leave(member);
    TableHost host = members.leave(member);
    if (host == null) {
      groups.forgetFreed(member.free);
    }
    TableHost gone = host != null && host.members.isEmpty() ? host : null;
    for (GroupAddress each : member.groups.all()) {
      release(each, member, gone);
    }
    if (gone != null) {
      for (GroupAddress each : gone.files.all()) {
        release(each, member, gone);
      }
      members.removeHost(member.host);
      groups.forgetFreed(gone.free);
      groups.forgetFreed(gone.dropped);
    }
    member.forget();
    hearing.changed();
  }

  private void release(GroupAddress group, TableMember member, @Nullable TableHost gone) {
    GroupEntry entry = groups.find(group);
    if (entry == null) {
      return;
    }
    groups.removeUser(entry, member);
    if (gone != null) {
      groups.removeHost(entry, member, gone);
    }
    boolean isOwn = group.member() == member.number && group.generation() == members.generation();
    if (entry.reads != Report.STORED && (isOwn || entry.countedBy == member.number)) {
      entry.forgetReads(); // it may live, and say so again
    }
    loseIfNowhere(group, entry);
    groups.endIfFree(group);
  }

  /** Gives up a group that no host has, and no member that may have fetched it. */
  private void loseIfNowhere(GroupAddress group, GroupEntry entry) {
    if (groups.isFetchedOnly(group) && entry.users.length == 0) {
      entry.forgetReads(); // a stored one is reported again by the next member of its host
      keys.lose(group, entry);
    }
  }

  /**
   * Unbinds a key or ends a stored group. After a restart those who have it may not have told of
   * it: they are awaited.
   */
  boolean drop(String keyOrAddress) throws InterruptedException {
    GroupAddress group = address(keyOrAddress);
    boolean waits;
    synchronized (this) {
      waits = leftToDrop(keyOrAddress, group) > 0;
      if (waits && !claims.mayWait(null)) {
        throw new IllegalStateException("too many wait for what members report after a restart");
      }
    }
    if (waits) {
      await(null, group == null ? keyOrAddress : group, () -> leftToDrop(keyOrAddress, group));
    }
    synchronized (this) {
      if (keys.drop(keyOrAddress)) {
        return true;
      }
      GroupEntry entry = group == null ? null : groups.find(group);
      if (group == null || entry == null || entry.reads <= 0) {
        return false;
      }
      if (entry.reads == Report.STORED) {
        groups.drop(group, entry);
      }
      entry.reads = 0;
      groups.endIfFree(group);
      return true;
    }
  }

  /**
   * Waits until members have heard of what was dropped, for a sign of life of each: those whose it
   * was would tell of it again to a server that follows this one, but for what others tell it.
   */
  void awaitHeard() throws InterruptedException {
    awaitHeard(REPORTING_MILLIS);
  }

  /** The same with another limit. */
  void awaitHeard(long limitMillis) throws InterruptedException {
    Map<TableMember.Freed, Deque<TableMember.Freed>> untold;
    int last;
    Set<TableMember> deaf;
    synchronized (this) {
      if (!claims.mayWait(null)) {
        throw new IllegalStateException("it was dropped; too many wait to know who has heard so");
      }
      untold = members.untold();
      last = droppedKeys.last();
      deaf = members.thoseWithout(last);
    }
    long end = System.nanoTime() + limitMillis * 1_000_000;
    try {
      await(
          hearing,
          () -> {
            untold.entrySet().removeIf(each -> !each.getValue().contains(each.getKey()));
            deaf.removeIf(each -> members.hasHeard(each, last));
            return untold.isEmpty() && deaf.isEmpty() ? 0 : end - System.nanoTime();
          });
    } finally {
      synchronized (this) {
        claims.waitsNoMore(null);
      }
    }
  }

  private long leftToDrop(String key, @Nullable GroupAddress group) {
    GroupEntry entry = group == null ? null : groups.find(group);
    return entry != null && entry.reads > 0 ? 0 : left(key, System.nanoTime());
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
    Iterator<Map.Entry<String, Keys.Key>> ofKeys = keys.all().entrySet().iterator();
    while (room > 0 && lines.size() < MAXIMUM_LINES && ofKeys.hasNext()) {
      Map.Entry<String, Keys.Key> each = ofKeys.next();
      lines.add(each.getKey() + "  " + describe(each.getValue().group()));
      room -= each.getKey().length();
    }
    Iterator<Map.Entry<GroupAddress, GroupEntry>> ofGroups = groups.all().iterator();
    while (room > 0 && lines.size() < MAXIMUM_LINES && ofGroups.hasNext()) {
      Map.Entry<GroupAddress, GroupEntry> each = ofGroups.next();
      if (each.getValue().reads > 0) {
        lines.add(describe(each.getKey()));
      }
    }
    return List.copyOf(lines);
  }

  private String describe(GroupAddress group) {
    GroupEntry entry = groups.find(group);
    return group + (entry == null ? "  lost" : entry.toString());
  }

  synchronized Map<String, Long> stats() {
    Map<String, Long> stats = new TreeMap<>();
    stats.put("generation", (long) members.generation());
    stats.put("groups", (long) groups.all().size());
    stats.put("hosts", (long) members.hostCount());
    stats.put("keys", (long) keys.all().size());
    stats.put("members", (long) members.numbers().size());
    stats.put("bytes", claims.takenBytes());
    return stats;
  }

  /** Numbers of all members, for tests. */
  synchronized Collection<Integer> members() {
    return members.numbers();
  }
}
