package io.karmi.benchmarks.startup.remote;

import java.io.IOException;
import java.net.ServerSocket;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Exports a {@link Directory}, prints {@code port N} of its registry, and ends when it is told. */
public final class DirectoryServer implements Directory {
  /** Holds the object: the registry has its stub only, and a stub does not. */
  private static final List<Directory> EXPORTED = new CopyOnWriteArrayList<>();

  private final Registry registry;

  private DirectoryServer(Registry registry) {
    this.registry = registry;
  }

  public static void main(String[] arguments) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    Registry registry = LocateRegistry.createRegistry(port);
    DirectoryServer server = new DirectoryServer(registry);
    EXPORTED.add(server);
    registry.rebind("directory", UnicastRemoteObject.exportObject(server, 0));
    System.out.println("port " + port);
  }

  @Override
  public Entry find(Query query) {
    return new Entry(query.text(), query.firstPage(), List.of("one", "two"));
  }

  @Override
  public void close() throws RemoteException {
    EXPORTED.remove(this);
    UnicastRemoteObject.unexportObject(this, true);
    UnicastRemoteObject.unexportObject(registry, true);
  }
}
