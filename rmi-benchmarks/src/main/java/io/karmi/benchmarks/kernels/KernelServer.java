package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.applications.HammingServer;
import io.karmi.benchmarks.applications.ParaffinCombinations;
import io.karmi.benchmarks.applications.ParaffinMolecules;
import io.karmi.benchmarks.applications.SorServer;
import io.karmi.benchmarks.measure.FreePort;
import io.karmi.benchmarks.measure.Parent;
import io.karmi.benchmarks.measure.Use;
import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;

/**
 * The server's JVM, or one worker's of an application: a registry on a free port, which it prints,
 * with everything that {@link KernelClient} calls. It lives until {@link Meter#stop}, or until its
 * input ends.
 */
public final class KernelServer implements Meter {
  private static final int ATTEMPTS = 10;

  private final List<Remote> exported = new ArrayList<>();
  private final PingServer ping;

  private KernelServer() throws RemoteException {
    ping = new PingServer();
  }

  public static void main(String[] args) throws Exception {
    System.out.println("port " + new KernelServer().start());
    Parent.endWithIt();
  }

  private int start() throws IOException {
    for (int attempt = 1; ; attempt++) {
      int port = FreePort.next();
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
    bind(registry, "ping", ping);
    bind(registry, "barrier", new BarrierServer());
    bind(registry, "hamming", new HammingServer());
    ParaffinMolecules paraffins = new ParaffinCombinations();
    UnicastRemoteObject.exportObject(paraffins, 0);
    bind(registry, "paraffins", paraffins);
    bind(registry, "sor", new SorServer());
    UnicastRemoteObject.exportObject(this, 0);
    bind(registry, "meter", this);
  }

  private void bind(Registry registry, String name, Remote object) throws RemoteException {
    exported.add(object);
    registry.rebind(name, object);
  }

  @Override
  public Use use() {
    return Use.ofThisJvm();
  }

  @Override
  public void stop() throws RemoteException {
    ping.close();
    for (Remote object : exported) {
      UnicastRemoteObject.unexportObject(object, true);
    }
    Parent.stopWaiting();
  }
}
