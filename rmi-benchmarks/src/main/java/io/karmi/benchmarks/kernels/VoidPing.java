package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import java.rmi.RemoteException;

/** {@code void ping()}: what a call costs that carries nothing. */
record VoidPing(Ping target) implements Kernel {
  private static final int CHECKED_CALLS = 100;

  @Override
  public String name() {
    return "ping()";
  }

  @Override
  public int callsPerRun() {
    return 1;
  }

  @Override
  public void run() throws RemoteException {
    target.ping();
  }

  @Override
  public String check() throws RemoteException {
    long before = target.checksum();
    for (int i = 0; i < CHECKED_CALLS; i++) {
      target.ping();
    }
    long calls = target.checksum() - before;
    if (calls != CHECKED_CALLS) {
      throw new IllegalStateException(CHECKED_CALLS + " calls, but the server counted " + calls);
    }
    return calls + " calls";
  }
}
