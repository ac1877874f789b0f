package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A kernel that runs another one, and does something before each run. */
interface Repeated extends Kernel {
  /**
   * Another kernel's calls with a pause before each: what a call costs whose threads sleep deeply.
   */
  record Sporadic(String name, Kernel kernel) implements Repeated {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    @Override
    public void prepare() {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * {@code obj star(obj)} (section 6.1b): several clients wait at a barrier, and then call one
   * server at the same time.
   *
   * @param clients how many
   */
  record Star(String name, Kernel kernel, Barrier barrier, int clients) implements Repeated {
    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public void begin() throws Exception {
      barrier.enter(clients);
    }

    @Override
    public void prepare() throws Exception {
      barrier.await();
    }

    @Override
    public void end() throws Exception {
      barrier.leave();
    }
  }

  /**
   * {@code fresh ping()}: each call makes a connection of its own.
   *
   * <p>The client's JVM is started so that idle connections are closed after milliseconds ({@code
   * sun.rmi.transport.connectionTimeout}). Before each call the kernel waits until the operating
   * system says that no connection of this process is left.
   */
  record Fresh(String name, Kernel kernel) implements Repeated {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_MILLIS = 2;

    @Override
    public void prepare() throws IOException, InterruptedException {
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (OpenConnections.count() > 0) {
        if (System.nanoTime() - deadline > 0) {
          throw new IllegalStateException(
              OpenConnections.count() + " connections are still open after 30 s without a call");
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** The one that is run. */
  Kernel kernel();

  @Override
  default int callsPerRun() {
    return kernel().callsPerRun();
  }

  @Override
  default void run() throws Exception {
    kernel().run();
  }

  @Override
  default String check() throws Exception {
    return kernel().check();
  }
}
