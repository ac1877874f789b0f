package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Another kernel's calls with a pause before each: what a call costs whose threads sleep deeply.
 */
record SporadicKernel(String name, Kernel kernel) implements Repeated {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  @Override
  public void prepare() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }
}
