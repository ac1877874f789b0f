package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.DroppedKey;
import io.karmi.guard.PeerLog;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The keys of a space, each bound to a group. Guarded by the table. */
final class Keys {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  private static final int MAXIMUM_BYTES = DroppedKey.MAXIMUM_BYTES;

  /** About what a key takes in memory, in bytes, beside its text. */
  private static final int KEY_BYTES = 180;

  /** The largest number of a binding that a member may claim. */
  private static final long MAXIMUM_ORDER = Long.MAX_VALUE / 2;

  /** Bindings are numbered from that of the directory's generation on. */
  private static final int ORDER_SHIFT = 29;

  private final Groups groups;
  private final Members members;
  private final Claims claims;
  private final Map<String, Key> keys = new TreeMap<>();
  private long lastOrder;

  private final DroppedKeys dropped;

  /**
   * The highest number of a binding that was replaced or dropped and whose member has not been told
   * of that: it may have been taken for dead, and binds its keys again.
   */
  private long untoldOrder;

  Keys(Groups groups, Members members, Claims claims, DroppedKeys dropped) {
    this.groups = groups;
    this.members = members;
    this.claims = claims;
    this.dropped = dropped;
  }

  /**
   * What a key is bound to.
   *
   * @param order number of the binding
   * @param owner pays for it
   */
  record Key(GroupAddress group, long order, TableMember owner) {}

  /** The group that a key is bound to; null for none. */
  @Nullable GroupAddress find(String key) {
    Key found = keys.get(key);
    return found == null ? null : found.group;
  }

  /**
   * Binds a key to a group of a member.
   *
   * @param order number of the binding before the directory's restart; 0 for a new one
   * @return number of the binding
   * @throws KeyTakenException if it is bound to another group, and not to be replaced
   */
  long bind(TableMember member, String key, GroupAddress group, boolean replace, long order)
      throws KeyTakenException {
    int length = length(key);
    if (length == 0
        || length > MAXIMUM_BYTES
        || !members.mayOwn(member.number, group)
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
    Key same = old != null && old.group.equals(group) ? old : null;
    if (same != null && same.owner == member) {
      return same.order;
    }
    if (order != 0 && (dropped.covers(key, order) || old == null && isOver(member, order))) {
      throw new KeyTakenException(key, group); // by no one any more; what was lost goes with that
    }
    if (old != null
        && same == null
        && !replace
        && order <= old.order
        && !groups.isFetchedOnly(old.group)) {
      throw new KeyTakenException(key, old.group);
    }
    GroupEntry entry = groups.entry(member, group);
    groups.addHost(group, entry, member);
    claims.take(member, bytes(key)); // last: what is refused has taken nothing for a key
    entry.keys++;
    /* A member may have another number since: its key does not end with the earlier one. */
    long given = same != null ? same.order : order == 0 ? nextOrder() : order;
    keys.put(key, new Key(group, given, member));
    note(key, entry, group, member);
    if (old != null) {
      claims.giveBack(old.owner, bytes(key));
      unbound(key, old);
    }
    return given;
  }

  /** Whether a binding of before was replaced or removed, and its member was not told of that. */
  private boolean isOver(TableMember member, long order) {
    return (order > firstOrder() || member.returns) && order <= untoldOrder;
  }

  /** Larger than that of each binding before, those before a restart among them. */
  private long nextOrder() {
    lastOrder = Math.max(lastOrder, firstOrder()) + 1;
    return lastOrder;
  }

  private long firstOrder() {
    return Integer.toUnsignedLong(members.generation()) << ORDER_SHIFT;
  }

  /** Whether a key was bound before the directory's restart, and is not bound anew. */
  boolean isOfEarlier(String key) {
    Key found = keys.get(key);
    return found != null && found.order <= firstOrder();
  }

  private void note(String key, GroupEntry entry, GroupAddress group, TableMember member) {
    if (entry.names == null) {
      entry.names = new Noted<>();
    }
    entry.names.add(key, each -> group.equals(find(each)));
    member.keys.add(key, each -> isBoundBy(each, member));
  }

  /** A key is not bound so any more. */
  private void forget(Key old, @Nullable GroupEntry entry) {
    old.owner.keys.dates(each -> isBoundBy(each, old.owner));
    if (entry != null && entry.names != null) {
      entry.names.dates(each -> old.group.equals(find(each)));
    }
  }

  private boolean isBoundBy(String key, TableMember member) {
    Key found = keys.get(key);
    return found != null && found.owner == member;
  }

  private static long bytes(String key) {
    return KEY_BYTES + length(key);
  }

  private static int length(String key) {
    return key.getBytes(StandardCharsets.UTF_8).length;
  }

  private void unbound(String key, Key old) {
    if (members.find(old.owner.number) != old.owner) {
      untoldOrder = Math.max(untoldOrder, old.order);
    } else if (!old.group.equals(find(key))) {
      groups.tell(old.owner.unbound, old.group, old.owner);
    }
    GroupEntry entry = groups.find(old.group);
    forget(old, entry);
    if (entry != null) {
      entry.keys--;
      groups.endIfFree(old.group);
    }
  }

  /** Drops a key, of which no earlier binding counts from now on; false if there is none. */
  boolean drop(String key) {
    Key old = keys.get(key);
    if (old != null) {
      dropped.add(key, Math.max(old.order, nextOrder()));
      remove(key);
    }
    return old != null;
  }

  /** A member tells which keys an earlier directory has dropped: it may be the last one to come. */
  void dropAgain(TableMember member, DroppedKey... told) {
    for (int i = 0; i < Math.min(told.length, DroppedKey.MAXIMUM); i++) {
      String key = told[i].key();
      long order = told[i].order();
      Key found = keys.get(key);
      if (order <= firstOrder() // what was dropped since, this directory knows itself
          && length(key) <= MAXIMUM_BYTES
          && dropped.add(key, order, member.payer)
          && found != null
          && found.order <= order) {
        remove(key);
      }
    }
  }

  private void remove(String key) {
    Key old = Objects.requireNonNull(keys.remove(key));
    claims.giveBack(old.owner, bytes(key));
    unbound(key, old);
  }

  /** Removes those of a member that leaves, if they are to end with it. */
  void leave(TableMember member) {
    if (!member.unbound.isEmpty()) {
      untoldOrder = Math.max(untoldOrder, Math.max(lastOrder, firstOrder()));
    }
    if (!member.keeps) {
      removeOf(member);
    }
    groups.forgetFreed(member.unbound);
  }

  private void removeOf(TableMember member) {
    for (String each : member.keys.all()) {
      if (isBoundBy(each, member)) {
        remove(each);
      }
    }
  }

  /** Gives up the keys of a group that no one has any more. */
  void lose(GroupAddress group, GroupEntry entry) {
    for (String each : entry.names == null ? List.<String>of() : entry.names.all()) {
      if (group.equals(find(each))) {
        Key lost = Objects.requireNonNull(keys.remove(each));
        claims.giveBack(lost.owner, bytes(each));
        forget(lost, entry);
        PeerLog.warn(
            LOG,
            lost.owner.payer,
            "the key " + each + " is lost: group " + group + " has gone with its last host",
            null);
      }
    }
    entry.keys = 0;
  }

  /** All keys, in order. */
  Map<String, Key> all() {
    return Collections.unmodifiableMap(keys);
  }
}
