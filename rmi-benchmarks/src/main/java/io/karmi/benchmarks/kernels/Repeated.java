package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;

/** A kernel that runs another one, and does something before each run. */
interface Repeated extends Kernel {
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
