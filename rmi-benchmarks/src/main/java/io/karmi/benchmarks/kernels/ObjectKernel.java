package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Kernel;
import io.karmi.benchmarks.payloads.PayloadFactory;
import java.rmi.RemoteException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A kernel that carries a payload; what arrives is compared with what was sent. */
final class ObjectKernel implements Kernel {
  /** The remote call. */
  @FunctionalInterface
  interface Call {
    @Nullable Object call(@Nullable Object argument) throws RemoteException;
  }

  /** Access to the argument that arrived, where the method returns nothing. */
  @FunctionalInterface
  interface Arrived {
    @Nullable Object get() throws RemoteException;
  }

  private static final int CHECKED_CALLS = 20;

  private final String name;
  private final PayloadFactory payload;
  private final Call call;
  private final @Nullable Arrived arrived;
  private final @Nullable Object argument;

  /** What came back last: kept, so that nothing is optimised away. */
  private @Nullable Object result;

  /**
   * @param arrived null where the call's own result is what arrived
   */
  ObjectKernel(String name, PayloadFactory payload, Call call, @Nullable Arrived arrived) {
    this.name = name;
    this.payload = payload;
    this.call = call;
    this.arrived = arrived;
    this.argument = payload.create();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run() throws RemoteException {
    result = call.call(argument);
  }

  @Override
  public String check() throws RemoteException {
    Object last = null;
    for (int i = 0; i < CHECKED_CALLS; i++) {
      run();
      last = arrived == null ? result : arrived.get();
      if (!payload.isEqualTo(last)) {
        throw new IllegalStateException(name + " arrived as something else: " + last);
      }
      if (last != null && last == argument) {
        throw new IllegalStateException(name + " arrived as the very object, not a copy");
      }
    }
    return "hash " + Arrays.deepHashCode(new @Nullable Object[] {last});
  }
}
