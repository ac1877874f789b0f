package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Another kernel's calls with a pause before each: what a call costs whose threads sleep deeply.
 */
record SporadicKernel(String name, Kernel kernel) implements Kernel {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  @Override
  public int callsPerRun() {
    return kernel.callsPerRun();
  }

  @Override
  public void prepare() {
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  @Override
  public void run() throws Exception {
    kernel.run();
  }

  @Override
  public String check() throws Exception {
    return kernel.check();
  }
}
