package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import io.karmi.benchmarks.payloads.Payload;
import java.rmi.RemoteException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** {@code obj ping(obj)}: the argument goes there and comes back. */
final class ObjectPing implements Kernel {
  private static final int CHECKED_CALLS = 20;

  private final Ping target;
  private final Payload payload;
  private final @Nullable Object argument;

  /** What came back last: kept, so that nothing is optimised away. */
  private @Nullable Object result;

  ObjectPing(Ping target, Payload payload) {
    this.target = target;
    this.payload = payload;
    this.argument = payload.create();
  }

  @Override
  public String name() {
    return "ping(" + payload.title() + ")";
  }

  @Override
  public int callsPerRun() {
    return 1;
  }

  @Override
  public void run() throws RemoteException {
    result = target.ping(argument);
  }

  @Override
  public String check() throws RemoteException {
    for (int i = 0; i < CHECKED_CALLS; i++) {
      run();
      if (!payload.isEqualTo(result)) {
        throw new IllegalStateException(name() + " came back as something else: " + result);
      }
      if (result != null && result == argument) {
        throw new IllegalStateException(name() + " came back as the very object, not a copy");
      }
    }
    return "hash " + Arrays.deepHashCode(new @Nullable Object[] {result});
  }
}
