package io.karmi.exchange.server;

import io.karmi.guard.Ledger;

/** The memory that members take of a server, by a ledger. Guarded by the table. */
final class Claims {
  private static final int MAXIMUM_OF_A_MEMBER = 1_000_000;

  /** The table may have five eighths of the heap. */
  private final Ledger ledger =
      new Ledger(
          "five eighths of the heap",
          Runtime.getRuntime().maxMemory() / 8 * 5,
          Ledger.Weakest.NONE);

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
      throw new IllegalStateException(
          "the directory has no memory for more groups: all together take "
              + ledger.taken()
              + " of "
              + ledger.most()
              + " bytes; give it a larger heap");
    }
  }

  /** The same; false if there is too much. */
  boolean tryGrow(TableMember member, long bytes) {
    return ledger.take(member.payer, bytes) == Ledger.Outcome.TAKEN;
  }

  /** Gives it back. */
  void giveBack(TableMember payer, long bytes) {
    payer.claims--;
    shrink(payer, bytes);
  }

  /** Gives back what {@link #grow} has taken. */
  void shrink(TableMember payer, long bytes) {
    ledger.giveBack(payer.payer, bytes);
  }

  long takenBytes() {
    return ledger.taken();
  }
}
