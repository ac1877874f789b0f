package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.messaging.Address;
import java.util.ArrayDeque;
import java.util.Deque;

/** A member as the table knows it. Guarded by the table. */
final class TableMember {
  final Address messaging;

  /** Characters of that address. */
  final int addressLength;

  /** Whether its keys outlive it. */
  final boolean keeps;

  /** Who pays in the ledger. */
  final Object payer;

  /** Groups whose files it is to remove. */
  final Deque<Freed> free = new ArrayDeque<>();

  /**
   * Groups that it has bound to keys which are bound so no more; it is told with each answer until
   * it says that it has heard.
   */
  final Deque<Freed> unbound = new ArrayDeque<>();

  /** Number of the last dropped key of which it has heard. */
  int heardDropped;

  /** Groups that it holds, pays for or has put. */
  final Noted<GroupAddress> groups = new Noted<>();

  final Noted<String> keys = new Noted<>();

  /** Whether it has told this directory all before, under another number. */
  boolean returns;

  int number;

  /** Number of its host; 0 until it has begun. */
  int host;

  /** How many groups and keys it pays for. */
  int claims;

  /**
   * A group of whose end, or of whose key's, is to be told.
   *
   * @param payer for this note
   */
  record Freed(GroupAddress group, TableMember payer) {}

  TableMember(Address messaging, int addressLength, boolean keeps, Object payer) {
    this.messaging = messaging;
    this.addressLength = addressLength;
    this.keeps = keeps;
    this.payer = payer;
  }
}
