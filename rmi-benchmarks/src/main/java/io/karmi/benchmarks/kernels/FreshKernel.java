package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * {@code fresh ping()}: each call makes a connection of its own.
 *
 * <p>The client's JVM is started so that idle connections are closed after milliseconds ({@code
 * sun.rmi.transport.connectionTimeout}). Before each call the kernel waits until the operating
 * system says that no connection of this process is left.
 */
record FreshKernel(String name, Kernel kernel) implements Repeated {
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
