package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import java.rmi.RemoteException;

/**
 * {@code void ping()}, {@code void ping(int, int)} and {@code void ping(int, int, float, float)}:
 * the cost of a call without objects.
 */
enum NumbersPing {
  NOTHING("ping()") {
    @Override
    long call(Ping target, int i) throws RemoteException {
      target.ping();
      return 1;
    }
  },
  TWO_INTS("ping(int, int)") {
    @Override
    long call(Ping target, int i) throws RemoteException {
      target.ping(i, Integer.MIN_VALUE + i);
      return Pings.sum(i, Integer.MIN_VALUE + i);
    }
  },
  INTS_AND_FLOATS("ping(int, int, float, float)") {
    @Override
    long call(Ping target, int i) throws RemoteException {
      target.ping(i, -i, i * 0.5f, Float.MAX_VALUE / (i + 1));
      return Pings.sum(i, -i, i * 0.5f, Float.MAX_VALUE / (i + 1));
    }
  };

  private static final int CHECKED_CALLS = 100;

  private final String title;

  NumbersPing(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Makes a call with numbers that follow from {@code i}; returns what the server adds for it. */
  abstract long call(Ping target, int i) throws RemoteException;

  Kernel kernel(Ping target) {
    return new Kernel() {
      @Override
      public String name() {
        return title;
      }

      @Override
      public void run() throws RemoteException {
        call(target, 42);
      }

      @Override
      public String check() throws RemoteException {
        return checked(target);
      }
    };
  }

  private String checked(Ping target) throws RemoteException {
    long before = target.checksum();
    long expected = 0;
    for (int i = 0; i < CHECKED_CALLS; i++) {
      expected += call(target, i);
    }
    long sum = target.checksum() - before;
    if (sum != expected) {
      throw new IllegalStateException(title + ": the server added up " + sum + ", not " + expected);
    }
    return "sum " + sum;
  }
}
