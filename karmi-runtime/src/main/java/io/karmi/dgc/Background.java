package io.karmi.dgc;

import java.util.concurrent.Executor;

/**
 * Threads for collectors; the reference layer implements it.
 *
 * <p>They belong to the runtime: no failure ends them, and where one cannot be started it is
 * started later.
 */
public interface Background {
  /** The part of a round that waits. */
  @FunctionalInterface
  interface Waiting {
    /** Waits until there may be something to do. */
    void await() throws Exception;
  }

  /** The part of a round that works. It must not wait for a peer. */
  @FunctionalInterface
  interface Round {
    /**
     * Does the work.
     *
     * @return false if there is none until {@link Service#ensureRunning} is called
     */
    boolean run() throws Exception;
  }

  /** A daemon thread that executes rounds as long as there is something to do. */
  interface Service {
    /** Executes at least one more round. */
    void ensureRunning();

    /** Ends it. */
    void stop();
  }

  /** Makes a service, which does not run yet. */
  Service service(String name, Waiting waiting, Round round);

  /**
   * A bounded number of threads for work that may wait for a peer. A task that was accepted is
   * executed, though perhaps late.
   *
   * @param most upper bound of threads
   */
  Executor workers(String name, int most);
}
