package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.kernels.Ping;
import io.karmi.benchmarks.kernels.Pings;
import io.karmi.benchmarks.measure.Tasks;
import java.net.InetAddress;
import java.rmi.RemoteException;
import org.cojen.dirmi.Environment;
import org.cojen.dirmi.Session;
import org.jspecify.annotations.Nullable;

/** Dirmi's client: works as {@link io.karmi.benchmarks.kernels.KernelClient} does. */
public final class DirmiClient {
  private DirmiClient() {}

  public static void main(String[] args) throws Exception {
    try (Environment environment = Environment.create()) {
      environment.customSerializers(PayloadSerializer.all());
      Session<DirmiPing> session =
          environment.connect(
              DirmiPing.class,
              "ping",
              InetAddress.getLoopbackAddress().getHostAddress(),
              Integer.parseInt(args[0]));
      DirmiPing remote = session.root();
      Ping ping = new Face(remote);
      new Tasks(name -> Pings.kernel(ping, name), remote::allocatedBytes)
          .serve(System.in, System.out);
      stop(remote);
    }
  }

  private static void stop(DirmiPing remote) {
    try {
      remote.stop();
    } catch (org.cojen.dirmi.RemoteException e) {
      /* The server is free to be gone before its answer is out. */
    }
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
