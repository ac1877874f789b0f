package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.applications.Hamming;
import io.karmi.benchmarks.applications.Multipliers;
import io.karmi.benchmarks.measure.Kernel;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Task;
import io.karmi.benchmarks.measure.Tasks;
import java.net.InetAddress;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;

/**
 * The client's JVM: looks the server up, and prints a {@link Measurement} for each {@link Task}
 * that it reads.
 *
 * <p>Argument: the registry's port. The kernels are {@code ping()}, {@code ping(int, int)}, {@code
 * ping(32 int)} and so on, and {@code hamming}.
 */
public final class KernelClient {
  private final Ping ping;
  private final Multipliers multipliers;

  private KernelClient(Ping ping, Multipliers multipliers) {
    this.ping = ping;
    this.multipliers = multipliers;
  }

  public static void main(String[] args) throws Exception {
    Registry registry =
        LocateRegistry.getRegistry(
            InetAddress.getLoopbackAddress().getHostAddress(), Integer.parseInt(args[0]));
    Meter meter = (Meter) registry.lookup("meter");
    KernelClient client =
        new KernelClient((Ping) registry.lookup("ping"), (Multipliers) registry.lookup("hamming"));
    new Tasks(client::kernel, meter::allocatedBytes).serve(System.in, System.out);
    stop(meter);
  }

  private static void stop(Meter meter) {
    try {
      meter.stop();
    } catch (RemoteException e) {
      /* The server is free to be gone before its answer is out. */
    }
  }

  private Kernel kernel(String name) {
    return name.equals("hamming") ? new Hamming(multipliers) : Pings.kernel(ping, name);
  }
}
