package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import java.rmi.RemoteException;

/** {@code void ping(int, int)}: primitive arguments. */
record IntsPing(Ping target) implements Kernel {
  private static final int CHECKED_CALLS = 100;

  @Override
  public String name() {
    return "ping(int, int)";
  }

  @Override
  public int callsPerRun() {
    return 1;
  }

  @Override
  public void run() throws RemoteException {
    target.ping(42, -7);
  }

  @Override
  public String check() throws RemoteException {
    long before = target.checksum();
    long expected = 0;
    for (int i = 0; i < CHECKED_CALLS; i++) {
      target.ping(i, Integer.MIN_VALUE + i);
      expected += i + 1_000_003L * (Integer.MIN_VALUE + i);
    }
    long sum = target.checksum() - before;
    if (sum != expected) {
      throw new IllegalStateException("the server added up " + sum + ", not " + expected);
    }
    return "sum " + sum;
  }
}
