package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.server.TableMember.Freed;
import io.karmi.messaging.Address;
import java.rmi.NoSuchObjectException;
import java.security.SecureRandom;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The members of a space, and their hosts. Guarded by the table. */
final class Members {
  /** About what a member takes in memory, in bytes, beside the text of its address. */
  private static final int MEMBER_BYTES = 2048;

  private static final int MAXIMUM_ADDRESS = 4096;

  /** By so many generations, some days, one may be ahead of the last one and of the clock. */
  private static final int MAXIMUM_AHEAD = 1 << 20;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Claims claims;
  private final Map<Integer, TableMember> members = new LinkedHashMap<>();
  private final Map<Integer, TableHost> hosts = new HashMap<>();
  private int generation;
  private int lastMember;
  private int lastHost;

  Members(Claims claims, int generation) {
    this.claims = claims;
    this.generation = generation;
  }

  /** Counts the starts of the directory; part of the addresses of the groups that are put now. */
  int generation() {
    return generation;
  }

  /**
   * One after a generation that a member has known, as long as no member was told one: the clock
   * was set back. What it has known is a claim, by which no one makes a generation come again.
   */
  void follow(int before) {
    int after = before + 1 + RANDOM.nextInt(MAXIMUM_AHEAD);
    if (lastMember == 0
        && Integer.compareUnsigned(before, generation) > 0
        && Integer.compareUnsigned(after, before) > 0) {
      generation = after;
    }
  }

  /**
   * A member that may {@link #enter}: there is memory for it.
   *
   * @throws IllegalStateException if there is not, or there are too many
   */
  TableMember admit(Address messaging, int addressLength, boolean keeps, Object payer) {
    if (addressLength > MAXIMUM_ADDRESS) {
      throw new IllegalArgumentException(
          "an address of " + addressLength + " characters; it may have " + MAXIMUM_ADDRESS);
    }
    TableMember member = new TableMember(messaging, addressLength, keeps, payer);
    claims.enter(member, bytes(member));
    return member;
  }

  private static long bytes(TableMember member) {
    return MEMBER_BYTES + 2L * member.addressLength;
  }

  /** Gives a member its number. */
  void enter(TableMember member) {
    member.number = ++lastMember;
    members.put(lastMember, member);
  }

  /** A member tells which host it is on; without effect the second time. */
  void begin(TableMember member, long hostName) {
    if (member.host != 0) {
      return;
    }
    int known = 0;
    for (Map.Entry<Integer, TableHost> each : hosts.entrySet()) {
      known = each.getValue().name == hostName ? each.getKey() : known;
    }
    member.host = known == 0 ? ++lastHost : known;
    hosts
        .computeIfAbsent(member.host, any -> new TableHost(hostName, member))
        .members
        .add(member.number);
  }

  @Nullable TableMember find(int number) {
    return members.get(number);
  }

  boolean isIn(TableMember member) {
    return members.get(member.number) == member;
  }

  /**
   * A member that has not left.
   *
   * @throws NoSuchObjectException if it has
   */
  TableMember require(int number) throws NoSuchObjectException {
    TableMember member = members.get(number);
    if (member == null) {
      throw new NoSuchObjectException("member " + number + " has left");
    }
    return member;
  }

  /** A host by its number; null for 0, and once its last member has left. */
  @Nullable TableHost host(int number) {
    return hosts.get(number);
  }

  /** Any member of a host; null for none. */
  @Nullable TableMember anyOf(TableHost host) {
    int count = host.members.size();
    return count == 0 ? null : members.get(host.members.get((int) (Math.random() * count)));
  }

  /** The member that has put a group, if it lives and the directory has not been started since. */
  @Nullable TableMember ownerOf(GroupAddress group) {
    return group.generation() == generation ? members.get(group.member()) : null;
  }

  /**
   * Whether a member has put a group. Of what was put before a restart, or by a member that is
   * gone, each may say so: one that was taken for dead has another number now.
   */
  boolean mayOwn(int number, GroupAddress group) {
    return group.member() == number || ownerOf(group) == null;
  }

  /**
   * A member has left.
   *
   * @return its host, which {@link #removeHost} must remove if it has no members; null for none
   */
  @Nullable TableHost leave(TableMember member) {
    members.remove(member.number);
    claims.leave(member, bytes(member));
    TableHost host = hosts.get(member.host);
    if (host != null) {
      host.departed++;
      host.members.remove((Integer) member.number);
      host.free.addAll(member.free);
    }
    return host;
  }

  /** Of each list of what is to be told the last entry, and the list. */
  Map<Freed, Deque<Freed>> untold() {
    Map<Freed, Deque<Freed>> untold = new IdentityHashMap<>();
    Stream.of(
            members.values().stream().map(each -> each.unbound),
            members.values().stream().map(each -> each.free),
            hosts.values().stream().map(each -> each.free),
            hosts.values().stream().map(each -> each.dropped))
        .flatMap(each -> each)
        .filter(each -> !each.isEmpty())
        .forEach(each -> untold.put(each.getLast(), each));
    return untold;
  }

  /** Members that have not heard of the dropped key of a number. */
  Set<TableMember> thoseWithout(int droppedKey) {
    return members.values().stream()
        .filter(each -> !hasHeard(each, droppedKey))
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** Whether a member has heard of it, or has left. */
  boolean hasHeard(TableMember member, int droppedKey) {
    return member.heardDropped >= droppedKey || !isIn(member);
  }

  void removeHost(int number) {
    hosts.remove(number);
  }

  int hostCount() {
    return hosts.size();
  }

  List<Integer> numbers() {
    return List.copyOf(members.keySet());
  }
}
