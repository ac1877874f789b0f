package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.kernels.Pings;
import io.karmi.benchmarks.measure.Tasks;
import io.karmi.benchmarks.measure.Use;
import java.net.InetSocketAddress;
import java.rmi.RemoteException;
import org.cojen.dirmi.Environment;
import org.cojen.dirmi.Session;

/** Dirmi's client: works as {@link io.karmi.benchmarks.kernels.KernelClient} does. */
public final class DirmiClient {
  /** On a machine under load two seconds, the default, are not enough to connect. */
  static final int CONNECT_MILLIS = 60_000;

  private static final long STOP_MILLIS = 2_000;

  private DirmiClient() {}

  public static void main(String[] args) throws Exception {
    InetSocketAddress address = PeerAddress.parse(args[1]);
    try (Environment environment = Environment.create()) {
      environment.pingTimeoutMillis(CONNECT_MILLIS);
      environment.customSerializers(PayloadSerializer.all());
      Session<DirmiPing> session =
          environment.connect(DirmiPing.class, "ping", address.getHostString(), address.getPort());
      DirmiPing remote = session.root();
      new Tasks(
              name -> Pings.kernel(remote, name),
              () -> new Use(remote.allocatedBytes(), remote.cpuNanos()))
          .serve(System.in, System.out);
      stop(remote);
    }
  }

  /** A server that ends may take its answer along, for which Dirmi would wait for a minute. */
  private static void stop(DirmiPing remote) throws InterruptedException {
    Thread stopping =
        new Thread(
            () -> {
              try {
                remote.stop();
              } catch (RemoteException e) {
                /* The server is free to be gone before its answer is out. */
              }
            },
            "stopping");
    stopping.setDaemon(true);
    stopping.start();
    stopping.join(STOP_MILLIS);
    System.exit(0);
  }
}
