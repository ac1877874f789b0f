package io.karmi.exchange.directory;

/**
 * A report that is made until its answer comes. To do a thing twice changes nothing, but for
 * counted reads: these are counted once at most, so a group may live longer, and never ends too
 * early. Belongs to one thread.
 */
public final class Repeated {
  private Report left;

  /** None was made yet. */
  public Repeated(Report changes) {
    left = changes;
  }

  /** What is to be reported. */
  public Report left() {
    return left;
  }

  /** The reads have been told, or may have been. */
  public void readsMayCount() {
    left = left.withoutReads();
  }
}
