package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.messaging.Address;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A member as the table knows it. Guarded by the table. */
final class TableMember {
  private @Nullable Address messaging;

  /** Characters of that address. */
  final int addressLength;

  /** Whether its keys outlive it. */
  final boolean keeps;

  /** Who pays in the ledger. */
  final Object payer;

  /** Groups whose files it is to remove. */
  Deque<Freed> free = new ArrayDeque<>();

  /**
   * Groups that it has bound to keys which are bound so no more; it is told with each answer until
   * it says that it has heard.
   */
  Deque<Freed> unbound = new ArrayDeque<>();

  /** Number of the last dropped key of which it has heard. */
  int heardDropped;

  /** Reads of groups that it has put, from before it has told of them; the first one first. */
  Deque<EarlyRead> early = new ArrayDeque<>(0);

  /** Groups that it holds, pays for or has put. */
  Noted<GroupAddress> groups = new Noted<>();

  Noted<String> keys = new Noted<>();

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

  /**
   * A read of a group whose owner has not told how many there are to be.
   *
   * @param payer for this note
   * @param sinceNanos when the first one was reported
   */
  record EarlyRead(GroupAddress group, TableMember payer, long sinceNanos) {}

  TableMember(Address messaging, int addressLength, boolean keeps, Object payer) {
    this.messaging = messaging;
    this.addressLength = addressLength;
    this.keeps = keeps;
    this.payer = payer;
  }

  Address messaging() {
    return Objects.requireNonNull(messaging, "it has left");
  }

  /** It has left: what it pays for may last, and keeps nothing else of it. */
  void forget() {
    messaging = null;
    free = new ArrayDeque<>(0);
    unbound = new ArrayDeque<>(0);
    early = new ArrayDeque<>(0);
    groups = new Noted<>();
    keys = new Noted<>();
  }
}
