package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.DroppedKey;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.messaging.Address;
import io.karmi.technology.ConnectionSettings;
import java.rmi.NoSuchObjectException;
import java.util.ArrayList;
import java.util.Deque;
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
  /** The longest that a lookup waits, in milliseconds; who waits longer asks again. */
  private static final long MAXIMUM_WAIT_MILLIS = 10_000;

  private static final GroupAddress[] NO_GROUPS = {};

  private final long space;
  private final long secret;

  /* All below is guarded by this. */
  private final Claims claims;
  private final Members members;
  private final Groups groups;
  private final Keys keys;
  private final DroppedKeys droppedKeys;

  private final Recovery recovery = new Recovery();
  private final Waits waits;
  private final Sources sources;
  private final TableList list;

  GroupTable(long space, long secret, int generation) {
    this(space, secret, generation, Math.max(1, new ConnectionSettings().maximumConnections / 2));
  }

  /** The same with another number of lookups that may wait at a time. */
  GroupTable(long space, long secret, int generation, int mostWaiting) {
    claims = new Claims(mostWaiting);
    members = new Members(claims, generation);
    groups = new Groups(members, claims, recovery::isRunning);
    droppedKeys = new DroppedKeys(claims);
    keys = new Keys(groups, members, claims, droppedKeys);
    waits = new Waits(this, claims);
    sources = new Sources(groups, members);
    list = new TableList(keys, groups);
    this.space = space;
    this.secret = secret;
  }

  /** No member has known another directory before this one; for tests. */
  synchronized GroupTable withoutPredecessor() {
    recovery.skip();
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
    if (before != 0 && before != members.generation() && recovery.begin()) {
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

  synchronized Report.Answer update(int number, Report changes) throws NoSuchObjectException {
    TableMember member = members.require(number);
    boolean asksOnly = changes.files().length > 0 && changes.held().length == 0;
    List<GroupAddress> free = change(member, changes);
    if (!asksOnly) {
      groups.endEarlyReads(member);
    }
    return answer(member, free, !asksOnly, 0);
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
    waits.tellHeard();
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
    waits.tell(List.of(changes.held()));
    waits.tell(List.of(changes.released()));
    waits.tell(List.of(changes.files()));
    for (Report.Dependency each : changes.added()) {
      waits.tell(List.of(each.on()));
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
    if (recovery.isRunning()) {
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
      waits.tellHeard();
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
      waits.tell(List.of(key));
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
      return found == null ? null : new Found(found, sources.of(found));
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
    waits.await(payer, what, left);
  }

  /** Nanoseconds for which a key is waited for: to an end, and while its binding is not known. */
  private long left(String key, long end) {
    if (keys.find(key) == null) {
      return Math.max(end - System.nanoTime(), recovery.leftNanos());
    }
    return keys.isOfEarlier(key) ? recovery.leftToReportNanos() : 0;
  }

  /**
   * Who has a group. After a restart those who have it may not have told of it: they are awaited.
   */
  Address[] holders(int number, GroupAddress group)
      throws NoSuchObjectException, InterruptedException {
    await(number, group, () -> sources.of(group).length > 0 ? 0 : recovery.leftNanos());
    synchronized (this) {
      return sources.of(group);
    }
  }

  /** Ends a member, which has left or is dead. Without effect the second time. */
  synchronized void leave(int number) {
    TableMember member = members.find(number);
    if (member == null) {
      return;
    }
    keys.leave(member);
    groups.forgetEarlyReads(member);
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
    groups.endWhatWaited();
    waits.tellHeard();
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
    boolean mustWait;
    synchronized (this) {
      mustWait = leftToDrop(keyOrAddress, group) > 0;
      if (mustWait && !claims.mayWait(null)) {
        throw new IllegalStateException("too many wait for what members report after a restart");
      }
    }
    if (mustWait) {
      waits.await(
          null, group == null ? keyOrAddress : group, () -> leftToDrop(keyOrAddress, group));
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
    awaitHeard(Recovery.REPORTING_MILLIS);
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
    waits.awaitHeard(
        () -> {
          untold.entrySet().removeIf(each -> !each.getValue().contains(each.getKey()));
          deaf.removeIf(each -> members.hasHeard(each, last));
          return untold.isEmpty() && deaf.isEmpty() ? 0 : end - System.nanoTime();
        });
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

  /** What there is, in lines for operators. */
  synchronized List<String> list(int lineCount) {
    return list.lines(lineCount);
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
}
