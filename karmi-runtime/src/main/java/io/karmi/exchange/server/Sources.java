package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Directory;
import io.karmi.messaging.Address;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members that a group may be fetched from. Guarded by the table. */
final class Sources {
  private static final int[] NO_ONE = {};

  private final Groups groups;
  private final Members members;

  Sources(Groups groups, Members members) {
    this.groups = groups;
    this.members = members;
  }

  /**
   * The owner of a group where it lives, and one member of each host that has the file, in any
   * order. Where there is none, those who hold the group: they may have the file, and not have told
   * of it yet.
   *
   * <p>Who has a file is a claim of the members, and so is how many hosts they are: of those that
   * call from one host, more than one is named only if there is room.
   */
  Address[] of(GroupAddress group) {
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
}
