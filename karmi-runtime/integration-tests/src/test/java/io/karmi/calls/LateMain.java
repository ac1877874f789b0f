package io.karmi.calls;

import io.karmi.exchange.ExchangeSpace;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;

/** A program whose first call, and first look for an exchange space, are made while it exits. */
final class LateMain {
  private LateMain() {}

  interface Service extends Remote {
    String echo(String text) throws RemoteException;
  }

  private static final class Echo implements Service {
    @Override
    public String echo(String text) {
      return text;
    }
  }

  /** Prints what came of both. */
  public static void main(String[] args) {
    Runtime.getRuntime().addShutdownHook(new Thread(LateMain::exit));
  }

  private static void exit() {
    Echo object = new Echo();
    try {
      Registry registry = LocateRegistry.createRegistry(0);
      registry.rebind("late", UnicastRemoteObject.exportObject(object, 0));
      System.out.println("call: " + ((Service) registry.lookup("late")).echo("answered"));
      System.out.println("still " + object.echo("there"));
      ExchangeSpace.join("//localhost:1/none").close();
    } catch (Exception e) {
      System.out.println("space: " + e);
    }
  }
}
