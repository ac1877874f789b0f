package io.karmi;

import javax.management.ConstructorParameters;
import org.jspecify.annotations.Nullable;

/** State of one of the runtime's own threads at some moment. Immutable. */
public final class NodeService {
  private final String name;
  private final boolean alive;
  private final long rounds;
  private final long failures;
  private final @Nullable String lastFailure;
  private final long workingMillis;

  /** Makes the state from what JMX has sent. */
  @ConstructorParameters({"name", "alive", "rounds", "failures", "lastFailure", "workingMillis"})
  public NodeService(
      String name,
      boolean alive,
      long rounds,
      long failures,
      @Nullable String lastFailure,
      long workingMillis) {
    this.name = name;
    this.alive = alive;
    this.rounds = rounds;
    this.failures = failures;
    this.lastFailure = lastFailure;
    this.workingMillis = workingMillis;
  }

  /** The name of its thread. */
  public String getName() {
    return name;
  }

  /** False while its thread cannot be started. */
  public boolean isAlive() {
    return alive;
  }

  /** The number of rounds that have ended, with or without a failure. */
  public long getRounds() {
    return rounds;
  }

  /** The number of failures, of rounds and of starting the thread. */
  public long getFailures() {
    return failures;
  }

  /** The last failure, or null. */
  public @Nullable String getLastFailure() {
    return lastFailure;
  }

  /** Milliseconds for which it has been working on the present round; 0 while it waits. */
  public long getWorkingMillis() {
    return workingMillis;
  }

  @Override
  public String toString() {
    return name
        + (alive ? "" : ", not running")
        + ", "
        + rounds
        + (rounds == 1 ? " round, " : " rounds, ")
        + failures
        + " failed"
        + (lastFailure == null ? "" : ", last: " + lastFailure);
  }
}
