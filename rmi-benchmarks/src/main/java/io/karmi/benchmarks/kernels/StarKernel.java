package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;

/**
 * {@code obj star(obj)} (section 6.1b): several clients wait at a barrier, and then call one server
 * at the same time.
 *
 * @param clients how many
 */
record StarKernel(String name, Kernel kernel, Barrier barrier, int clients) implements Repeated {
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
