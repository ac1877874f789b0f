package io.karmi.difference.programs;

import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Consumer;

/** Whose stub a client finds in a registry that is in another JVM. Differs between runtimes. */
public final class Origin implements Program {
  /** Something to find. */
  public interface Found extends Remote {
    String hello() throws RemoteException;
  }

  /** Static, so that no collector takes it. */
  private static Found object;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    object = () -> "hello";
    UnicastRemoteObject.exportObject(object, 0);
    LocateRegistry.getRegistry("localhost", port).bind("object", object);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Found found = (Found) LocateRegistry.getRegistry("localhost", port).lookup("object");
    observed.accept(found.hello() + " from " + (isOfStock(found) ? "stock RMI" : "KaRMI"));
  }

  private static boolean isOfStock(Remote stub) {
    return Proxy.isProxyClass(stub.getClass());
  }
}
