package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.applications.HammingServer;
import io.karmi.benchmarks.measure.ProcessCounters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;

/**
 * The server's JVM: a registry on a free port, which it prints, with everything that {@link
 * KernelClient} calls. It lives until {@link Meter#stop}.
 */
public final class KernelServer implements Meter {
  private static final int ATTEMPTS = 10;

  private final List<Remote> exported = new ArrayList<>();

  private KernelServer() {}

  public static void main(String[] args) throws Exception {
    System.out.println("port " + new KernelServer().start());
  }

  private int start() throws IOException {
    for (int attempt = 1; ; attempt++) {
      int port = freePort();
      try {
        bindAll(LocateRegistry.createRegistry(port));
        return port;
      } catch (ExportException e) {
        /* Another process was quicker to take the port. */
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void bindAll(Registry registry) throws RemoteException {
    exported.add(registry);
    PingServer ping = new PingServer();
    HammingServer hamming = new HammingServer();
    UnicastRemoteObject.exportObject(this, 0);
    exported.addAll(List.of(ping, hamming, this));
    registry.rebind("ping", ping);
    registry.rebind("hamming", hamming);
    registry.rebind("meter", this);
  }

  @Override
  public long allocatedBytes() {
    return ProcessCounters.allocatedBytes();
  }

  @Override
  public void stop() throws RemoteException {
    for (Remote object : exported) {
      UnicastRemoteObject.unexportObject(object, true);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
