package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.kernels.Ping;
import io.karmi.benchmarks.kernels.Pings;
import io.karmi.benchmarks.measure.Tasks;
import io.karmi.benchmarks.measure.Use;
import java.net.InetSocketAddress;
import java.rmi.RemoteException;
import org.cojen.dirmi.Environment;
import org.cojen.dirmi.Session;
import org.jspecify.annotations.Nullable;

/** Dirmi's client: works as {@link io.karmi.benchmarks.kernels.KernelClient} does. */
public final class DirmiClient {
  /** On a machine under load two seconds, the default, are not enough to connect. */
  static final int CONNECT_MILLIS = 60_000;

  private static final long STOP_MILLIS = 2_000;

  private DirmiClient() {}

  public static void main(String[] args) throws Exception {
    InetSocketAddress address = Address.parse(args[1]);
    try (Environment environment = Environment.create()) {
      environment.pingTimeoutMillis(CONNECT_MILLIS);
      environment.customSerializers(PayloadSerializer.all());
      Session<DirmiPing> session =
          environment.connect(DirmiPing.class, "ping", address.getHostString(), address.getPort());
      DirmiPing remote = session.root();
      Ping ping = new Face(remote);
      new Tasks(
              name -> Pings.kernel(ping, name),
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
              } catch (org.cojen.dirmi.RemoteException e) {
                /* The server is free to be gone before its answer is out. */
              }
            },
            "stopping");
    stopping.setDaemon(true);
    stopping.start();
    stopping.join(STOP_MILLIS);
    System.exit(0);
  }

  /** Lets the kernels call Dirmi; costs a call within the JVM. */
  private record Face(DirmiPing remote) implements Ping {
    @Override
    public void ping() throws RemoteException {
      try {
        remote.ping();
      } catch (org.cojen.dirmi.RemoteException e) {
        throw failed(e);
      }
    }

    @Override
    public void ping(int a, int b) throws RemoteException {
      try {
        remote.ping(a, b);
      } catch (org.cojen.dirmi.RemoteException e) {
        throw failed(e);
      }
    }

    @Override
    public @Nullable Object ping(@Nullable Object argument) throws RemoteException {
      try {
        return remote.ping(argument);
      } catch (org.cojen.dirmi.RemoteException e) {
        throw failed(e);
      }
    }

    @Override
    public void ping(int a, int b, float c, float d) throws RemoteException {
      try {
        remote.ping(a, b, c, d);
      } catch (org.cojen.dirmi.RemoteException e) {
        throw failed(e);
      }
    }

    @Override
    public void take(@Nullable Object argument) throws RemoteException {
      try {
        remote.take(argument);
      } catch (org.cojen.dirmi.RemoteException e) {
        throw failed(e);
      }
    }

    @Override
    public @Nullable Object taken() throws RemoteException {
      try {
        return remote.taken();
      } catch (org.cojen.dirmi.RemoteException e) {
        throw failed(e);
      }
    }

    @Override
    public long checksum() throws RemoteException {
      try {
        return remote.checksum();
      } catch (org.cojen.dirmi.RemoteException e) {
        throw failed(e);
      }
    }

    private static RemoteException failed(org.cojen.dirmi.RemoteException e) {
      return new RemoteException("Dirmi failed", e);
    }
  }
}
