package io.karmi.difference.programs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Consumer;

/** Stubs that the program makes or moves itself. */
public final class HandWritten implements Program {
  /** Not public, as interfaces of one package often are. */
  interface Adder extends Remote {
    int add(int a, int b) throws RemoteException;

    String join(String a, Object... rest) throws RemoteException;
  }

  static final class AdderObject extends UnicastRemoteObject implements Adder {
    private static final long serialVersionUID = 1;

    AdderObject() throws RemoteException {}

    @Override
    public int add(int a, int b) {
      return a + b;
    }

    @Override
    public String join(String a, Object... rest) {
      return a + java.util.Arrays.toString(rest);
    }
  }

  /** What rmic wrote by the thousand. */
  static final class HandStub extends RemoteObject implements Adder {
    private static final long serialVersionUID = 1;

    HandStub(RemoteRef ref) {
      super(ref);
    }

    @Override
    public int add(int a, int b) throws RemoteException {
      try {
        Method method = Adder.class.getMethod("add", int.class, int.class);
        return (Integer) ref.invoke(this, method, new Object[] {a, b}, -7734458262622125146L);
      } catch (RemoteException e) {
        throw e;
      } catch (Exception e) {
        throw new java.rmi.UnexpectedException("undeclared", e);
      }
    }

    @Override
    public String join(String a, Object... rest) throws RemoteException {
      try {
        Method method = Adder.class.getMethod("join", String.class, Object[].class);
        return (String) ref.invoke(this, method, new Object[] {a, rest}, 1L);
      } catch (RemoteException e) {
        throw e;
      } catch (Exception e) {
        throw new java.rmi.UnexpectedException("undeclared", e);
      }
    }
  }

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("adder", new AdderObject());
    AdderObject written = copy(new AdderObject());
    registry.bind("read", written);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Adder adder = (Adder) registry.lookup("adder");
    observed.accept("add: " + adder.add(1, 2) + adder.join("a", "b", null));
    Adder read = (Adder) registry.lookup("read");
    observed.accept("read object: " + read.add(3, 4) + " " + read.equals(adder));
    RemoteRef ref = reference(adder);
    HandStub stub = new HandStub(ref);
    observed.accept("by hand: " + stub.add(5, 6));
    observed.accept("wrong hash: " + Observe.outcome(() -> stub.join("a", "b")));
    observed.accept("still works: " + stub.add(7, 8));
    Adder proxy =
        (Adder)
            Proxy.newProxyInstance(
                HandWritten.class.getClassLoader(),
                new Class<?>[] {Adder.class},
                new RemoteObjectInvocationHandler(ref));
    observed.accept("proxy: " + proxy.add(9, 10) + proxy.join("a", 1, 2L));
    observed.accept("stored: " + copy(adder).add(11, 12) + " " + copy(adder).equals(adder));
    observed.accept("hand-written, stored: " + copy(stub).add(13, 14));
    MarshalledObject<Adder> marshalled = new MarshalledObject<>(adder);
    observed.accept("marshalled: " + marshalled.get().add(15, 16));
    observed.accept("equal: " + marshalled.equals(new MarshalledObject<>(adder)));
    registry.rebind("forwarded", copy(adder));
    observed.accept("forwarded: " + ((Adder) registry.lookup("forwarded")).add(17, 18));
  }

  private static RemoteRef reference(Adder stub) {
    return stub instanceof RemoteObject
        ? ((RemoteObject) stub).getRef()
        : ((RemoteObject) Proxy.getInvocationHandler(stub)).getRef();
  }

  @SuppressWarnings("unchecked")
  private static <T> T copy(T object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    }
  }
}
