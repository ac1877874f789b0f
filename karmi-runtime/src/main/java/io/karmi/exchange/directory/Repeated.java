package io.karmi.exchange.directory;

/**
 * A report that is made until its answer comes, by several calls if need be. To do a thing twice
 * changes nothing, but for counted reads: these are counted once at most, so a group may live
 * longer, and never ends too early. Belongs to one thread.
 */
public final class Repeated {
  private final Report changes;
  private boolean mayCount;

  /** None was made yet. */
  public Repeated(Report changes) {
    this.changes = changes;
  }

  /** What is to be reported. */
  public Report left() {
    return mayCount ? changes.withoutReads() : changes;
  }

  /** The reads have been told, or may have been. */
  public void readsMayCount() {
    mayCount = true;
  }
}
