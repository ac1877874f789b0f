package io.karmi.exchange.server;

import io.karmi.exchange.directory.DroppedKey;
import io.karmi.guard.Ledger;
import org.jspecify.annotations.Nullable;

/** The memory that members take of a server, by a ledger. Guarded by the table. */
final class Claims {
  private static final int MAXIMUM_OF_A_MEMBER = 1_000_000;
  private static final int MAXIMUM_MEMBERS = 10_000;

  /** The table may have five eighths of the heap. */
  private final Ledger ledger =
      new Ledger(
          "five eighths of the heap",
          Runtime.getRuntime().maxMemory() / 8 * 5,
          Ledger.Weakest.NONE);

  private final Ledger members =
      new Ledger(MAXIMUM_MEMBERS + " members", MAXIMUM_MEMBERS, Ledger.Weakest.NONE);

  private final Ledger dropped =
      new Ledger(DroppedKey.MAXIMUM + " dropped keys", DroppedKey.MAXIMUM, Ledger.Weakest.NONE);

  /** Lookups that wait, and keep a connection each. */
  private final Ledger waiting;

  /** Nothing is claimed; so many lookups may wait at a time. */
  Claims(int mostWaiting) {
    waiting = new Ledger("half of the connections", mostWaiting, Ledger.Weakest.NONE);
  }

  /**
   * Takes a member in.
   *
   * @throws IllegalStateException if there are too many, or there is no memory
   */
  void enter(TableMember member, long bytes) {
    if (members.take(member.payer, 1) != Ledger.Outcome.TAKEN) {
      throw new IllegalStateException(
          "a space may have "
              + MAXIMUM_MEMBERS
              + " members, and one host seven eighths of them; "
              + member.payer
              + " has "
              + members.takenBy(member.payer));
    }
    if (!tryGrow(member, bytes)) {
      members.giveBack(member.payer, 1);
      throw noMemory();
    }
  }

  /** It has left. */
  void leave(TableMember member, long bytes) {
    members.giveBack(member.payer, 1);
    shrink(member, bytes);
  }

  /**
   * Whether who asks may wait; {@link #waitsNoMore} must follow then.
   *
   * @param payer the host of a member; null for the server's own
   */
  boolean mayWait(@Nullable Object payer) {
    return waiting.take(payer, 1) == Ledger.Outcome.TAKEN;
  }

  void waitsNoMore(@Nullable Object payer) {
    waiting.giveBack(payer, 1);
  }

  /** Whether one dropped key more may be remembered by the word of a host; null for the server. */
  boolean mayRemember(@Nullable Object payer) {
    return dropped.take(payer, 1) == Ledger.Outcome.TAKEN;
  }

  void remembersNoMore(@Nullable Object payer) {
    dropped.giveBack(payer, 1);
  }

  /**
   * Takes memory for a group or a key.
   *
   * @throws IllegalStateException if the member, its host or all together have too much
   */
  void take(TableMember member, long bytes) {
    if (member.claims >= MAXIMUM_OF_A_MEMBER) {
      throw new IllegalStateException(
          "a member may have " + MAXIMUM_OF_A_MEMBER + " groups and keys, and this one has them");
    }
    grow(member, bytes);
    member.claims++;
  }

  /**
   * Takes more for what the member pays for already.
   *
   * @throws IllegalStateException if its host or all together have too much
   */
  void grow(TableMember member, long bytes) {
    if (!tryGrow(member, bytes)) {
      throw noMemory();
    }
  }

  private IllegalStateException noMemory() {
    return new IllegalStateException(
        "the directory has no memory for more groups: all together take "
            + ledger.taken()
            + " of "
            + ledger.most()
            + " bytes; give it a larger heap");
  }

  /** The same; false if there is too much. */
  boolean tryGrow(TableMember member, long bytes) {
    return ledger.take(member.payer, bytes) == Ledger.Outcome.TAKEN;
  }

  void giveBack(TableMember payer, long bytes) {
    payer.claims--;
    shrink(payer, bytes);
  }

  /** Gives back what {@link #grow} has taken. */
  void shrink(TableMember payer, long bytes) {
    shrinkOf(payer.payer, bytes);
  }

  /** The same of a member's host. */
  void shrinkOf(Object payer, long bytes) {
    ledger.giveBack(payer, bytes);
  }

  long takenBytes() {
    return ledger.taken();
  }
}
