package io.karmi.difference.programs;

import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.function.Consumer;

/** Stubs that are dynamic proxies, because the server insists on these. */
public final class Proxies implements Program {
  /** Returns what it is given. */
  public interface Mirror extends Remote {
    Remote show(Remote stub) throws RemoteException;

    boolean isYou(Remote stub) throws RemoteException;

    int twice(int number) throws RemoteException;
  }

  static final class MirrorObject implements Mirror {
    @Override
    public Remote show(Remote stub) {
      return stub;
    }

    @Override
    public boolean isYou(Remote stub) throws RemoteException {
      return UnicastRemoteObject.toStub(this).equals(stub);
    }

    @Override
    public int twice(int number) {
      return 2 * number;
    }
  }

  /** Static, so that no collector takes it. */
  private static Mirror mirror;

  private static String kind(Remote stub) {
    return (Proxy.isProxyClass(stub.getClass())
            ? "proxy with " + Proxy.getInvocationHandler(stub).getClass().getSimpleName()
            : "no proxy")
        + " of "
        + Arrays.toString(stub.getClass().getInterfaces());
  }

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port); // before: stock's own has a stub class
    System.setProperty("java.rmi.server.ignoreStubClasses", "true");
    mirror = new MirrorObject();
    Remote stub = UnicastRemoteObject.exportObject(mirror, 0);
    observed.accept("exported: " + kind(stub));
    observed.accept("same: " + (stub == RemoteObject.toStub(mirror)));
    observed.accept("at home: " + ((Mirror) stub).isYou(stub) + ((Mirror) stub).twice(3));
    observed.accept("shown: " + stub.equals(((Mirror) stub).show(stub)));
    registry.bind("mirror", mirror);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Mirror found = (Mirror) registry.lookup("mirror");
    observed.accept("found: " + kind(found));
    observed.accept("called: " + found.twice(4));
    observed.accept("shown: " + kind(found.show(found)) + found.show(found).equals(found));
    observed.accept("yours: " + found.isYou(found));
    observed.accept("hash: " + (found.hashCode() == found.show(found).hashCode()));
    registry.rebind("again", found);
    observed.accept("again: " + registry.lookup("again").equals(found));
  }
}
