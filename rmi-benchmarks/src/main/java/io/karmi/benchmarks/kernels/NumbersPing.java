package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import java.rmi.RemoteException;
import java.util.Map;

/**
 * {@code void ping()}, {@code void ping(int, int)} and {@code void ping(int, int, float, float)}:
 * the cost of a call without objects.
 */
record NumbersPing(String name, Ping target, Call call) implements Kernel {
  private static final int CHECKED_CALLS = 100;

  /** Makes a call with numbers that follow from {@code i}; returns what the server adds for it. */
  @FunctionalInterface
  interface Call {
    long call(Ping target, int i) throws RemoteException;
  }

  /** By the kernels' names. */
  static final Map<String, Call> CALLS =
      Map.of(
          "ping()",
          (target, i) -> {
            target.ping();
            return 1;
          },
          "ping(int, int)",
          (target, i) -> {
            target.ping(i, Integer.MIN_VALUE + i);
            return Pings.sum(i, Integer.MIN_VALUE + i);
          },
          "ping(int, int, float, float)",
          (target, i) -> {
            target.ping(i, -i, i * 0.5f, Float.MAX_VALUE / (i + 1));
            return Pings.sum(i, -i, i * 0.5f, Float.MAX_VALUE / (i + 1));
          });

  @Override
  public void run() throws RemoteException {
    call.call(target, 42);
  }

  @Override
  public String check() throws RemoteException {
    long before = target.checksum();
    long expected = 0;
    for (int i = 0; i < CHECKED_CALLS; i++) {
      expected += call.call(target, i);
    }
    long sum = target.checksum() - before;
    if (sum != expected) {
      throw new IllegalStateException(name + ": the server added up " + sum + ", not " + expected);
    }
    return "sum " + sum;
  }
}
