package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A host of members as the table knows it. Guarded by the table. */
final class TableHost {
  /** The number that its members have chosen for it. */
  final long name;

  /** Who pays for the groups that it has. */
  final TableMember payer;

  final List<Integer> members = new ArrayList<>();

  final Noted<GroupAddress> files = new Noted<>();

  /** Groups whose files one of its members is to remove. */
  final Deque<TableMember.Freed> free = new ArrayDeque<>();

  /** Groups that are not to be stored here any more; told until a member has heard of it. */
  final Deque<TableMember.Freed> dropped = new ArrayDeque<>();

  /** How many of its members have left. */
  int departed;

  TableHost(long name, TableMember payer) {
    this.name = name;
    this.payer = payer;
  }
}
