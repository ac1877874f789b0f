package io.karmi.technology;

import io.karmi.marshal.CallInput;

/**
 * Memory that one connection keeps between calls for its peer. The first bytes are free, so that a
 * peer that describes little is served although others have taken all of the budget. Thread-safe.
 */
public final class TableShare implements CallInput.TypeMemory {
  /** Bytes for each connection that the budget does not count. */
  static final long FREE_BYTES = 1 << 15;

  private final TableBudget budget;
  private long kept;

  /** Taken of the budget. */
  private long taken;

  private boolean closed;

  /** The share of a connection that keeps nothing so far. */
  public TableShare(TableBudget budget) {
    this.budget = budget;
  }

  @Override
  public synchronized boolean keep(long bytes) {
    long after = kept + bytes;
    long counted = closed ? 0 : Math.max(0, after - FREE_BYTES);
    if (counted > taken && !budget.take(counted - taken)) {
      return false;
    }
    if (counted < taken) {
      budget.giveBack(taken - counted);
    }
    kept = after;
    taken = counted;
    return true;
  }

  /** Gives all back: the connection is closed, and what it keeps is garbage soon. */
  public synchronized void close() {
    closed = true;
    keep(0);
  }

  /** The state of the budget, for error messages. */
  @Override
  public String toString() {
    return budget.takenBytes() + " of " + budget.mostBytes() + " bytes";
  }
}
