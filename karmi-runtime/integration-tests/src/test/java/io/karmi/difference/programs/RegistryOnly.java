package io.karmi.difference.programs;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A registry for other programs. */
public final class RegistryOnly implements Program {
  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    Thread keeper = new Thread(() -> keep(registry), "keeps the registry");
    keeper.start();
  }

  private static void keep(Registry registry) {
    while (registry != null) {
      LockSupport.park();
    }
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    LocateRegistry.getRegistry("localhost", port).list();
  }
}
