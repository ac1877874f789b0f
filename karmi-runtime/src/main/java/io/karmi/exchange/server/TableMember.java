package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.messaging.Address;
import java.util.ArrayDeque;
import java.util.Deque;

/** A member as the table knows it. Guarded by the table. */
final class TableMember {
  final Address messaging;

  /** Whether its keys outlive it. */
  final boolean keeps;

  /** Who pays in the ledger. */
  final Object payer;

  /** Groups whose files it is to remove. */
  final Deque<Freed> free = new ArrayDeque<>();

  /** Number of its host; 0 until it has begun. */
  int host;

  /** How many groups and keys it pays for. */
  int claims;

  /**
   * A group that has ended.
   *
   * @param payer for this note
   */
  record Freed(GroupAddress group, TableMember payer) {}

  TableMember(Address messaging, boolean keeps, Object payer) {
    this.messaging = messaging;
    this.keeps = keeps;
    this.payer = payer;
  }
}
