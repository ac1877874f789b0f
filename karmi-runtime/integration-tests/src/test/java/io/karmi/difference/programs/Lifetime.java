package io.karmi.difference.programs;

import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Consumer;

/** The server's JVM lives as long as something is exported; a registry does not count. */
public final class Lifetime implements Program {
  /** Ends itself. */
  public interface Mortal extends Remote {
    void die() throws RemoteException;
  }

  static final class MortalObject implements Mortal {
    private final Registry registry;

    MortalObject(Registry registry) {
      this.registry = registry;
    }

    @Override
    public void die() throws RemoteException {
      try {
        registry.unbind("mortal");
        UnicastRemoteObject.unexportObject(this, true);
      } catch (NoSuchObjectException | java.rmi.NotBoundException e) {
        throw new RemoteException("cannot die", e);
      }
    }
  }

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    Mortal mortal = new MortalObject(registry);
    UnicastRemoteObject.exportObject(mortal, 0);
    registry.bind("mortal", mortal);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Mortal mortal = (Mortal) LocateRegistry.getRegistry("localhost", port).lookup("mortal");
    mortal.die();
    observed.accept("died");
  }
}
