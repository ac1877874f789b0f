package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;

/**
 * {@code obj star(obj)} (section 6.1b): several clients wait at a barrier, and then call one server
 * at the same time.
 *
 * @param clients how many
 */
record StarKernel(String name, Kernel kernel, Barrier barrier, int clients) implements Kernel {
  @Override
  public int callsPerRun() {
    return kernel.callsPerRun();
  }

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
  public void run() throws Exception {
    kernel.run();
  }

  @Override
  public void end() throws Exception {
    barrier.leave();
  }

  @Override
  public String check() throws Exception {
    return kernel.check();
  }
}
