package io.karmi.difference.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.lang.reflect.Method;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Consumer;

/** Interfaces and values that only a loader of the program's own knows. */
public final class Loaders implements Program {
  /** Known everywhere; takes what is not. */
  public interface Open extends Remote {
    Object echo(Object value) throws RemoteException;

    Object hidden() throws RemoteException;

    String loaderOf(Object value) throws RemoteException;
  }

  /** Only {@link Child}ren find it: the loader of the programs denies what is called hidden. */
  public interface HiddenService extends Open {
    HiddenValue twice(HiddenValue value) throws RemoteException;
  }

  /** Hidden, too. */
  public static final class HiddenValue implements Serializable {
    private static final long serialVersionUID = 1;
    final int value;

    HiddenValue(int value) {
      this.value = value;
    }

    @Override
    public String toString() {
      return "hidden " + value;
    }
  }

  /** Hidden, and called by reflection. */
  public static final class HiddenObject implements HiddenService {
    @Override
    public HiddenValue twice(HiddenValue value) {
      return new HiddenValue(value.value * 2);
    }

    @Override
    public Object echo(Object value) {
      return value;
    }

    @Override
    public Object hidden() {
      return new HiddenValue(7);
    }

    @Override
    public String loaderOf(Object value) {
      ClassLoader own = HiddenObject.class.getClassLoader();
      return value
          + (value.getClass().getClassLoader() == own ? " of the object's loader" : " of another")
          + (Thread.currentThread().getContextClassLoader() == own ? "" : ", other context");
    }

    /** What a client does with the service; static, so that its types are this loader's. */
    public static String use(Remote found) throws Exception {
      HiddenService service = (HiddenService) found;
      return service.twice(new HiddenValue(4))
          + " "
          + ((HiddenValue) service.hidden()).value
          + " "
          + service.loaderOf(new HiddenValue(1));
    }

    /** A value, for callers that do not know its type. */
    public static Object value() {
      return new HiddenValue(9);
    }
  }

  /** Defines the hidden classes itself. */
  static final class Child extends ClassLoader {
    Child() {
      super(Loaders.class.getClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.contains("$Hidden")) {
        throw new ClassNotFoundException(name);
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    Class<?> hidden(String name) throws ClassNotFoundException {
      return loadClass(Loaders.class.getName() + "$Hidden" + name);
    }
  }

  static final class OpenObject implements Open {
    @Override
    public Object echo(Object value) {
      return value;
    }

    @Override
    public Object hidden() throws RemoteException {
      try {
        return new Child().hidden("Object").getMethod("value").invoke(null);
      } catch (ReflectiveOperationException e) {
        throw new RemoteException("no hidden value", e);
      }
    }

    @Override
    public String loaderOf(Object value) {
      return String.valueOf(value);
    }
  }

  /** Static, so that no collector takes them. */
  private static Remote hidden;

  private static Remote open;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    ClassLoader own = Thread.currentThread().getContextClassLoader();
    Registry registry = LocateRegistry.createRegistry(port);
    Child child = new Child();
    Thread.currentThread().setContextClassLoader(child);
    hidden = (Remote) child.hidden("Object").getConstructor().newInstance();
    registry.bind("hidden", UnicastRemoteObject.exportObject(hidden, 0));
    observed.accept("at home: " + use(child, UnicastRemoteObject.toStub(hidden)));
    Thread.currentThread().setContextClassLoader(own);
    open = new OpenObject();
    registry.bind("open", UnicastRemoteObject.exportObject(open, 0));
    observed.accept("from outside: " + ((Open) UnicastRemoteObject.toStub(hidden)).echo("text"));
  }

  private static String use(Child child, Remote stub) throws Exception {
    Method use = child.hidden("Object").getMethod("use", Remote.class);
    return (String) use.invoke(null, stub);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    observed.accept("unknown: " + Observe.outcome(() -> registry.lookup("hidden").hashCode() != 0));
    Child child = new Child();
    Thread current = Thread.currentThread();
    ClassLoader own = current.getContextClassLoader();
    current.setContextClassLoader(child);
    Remote found = registry.lookup("hidden");
    observed.accept("known: " + use(child, found));
    current.setContextClassLoader(own);
    observed.accept("context loader of no matter: " + use(child, found));
    Object value = child.hidden("Object").getMethod("value").invoke(null);
    observed.accept("taken: " + ((Open) found).loaderOf(value));
    observed.accept("echoed: " + ((Open) found).echo(value));
    Open plain = (Open) registry.lookup("open");
    observed.accept("not taken: " + Observe.outcome(() -> plain.loaderOf(value)));
    observed.accept("not read: " + Observe.outcome(plain::hidden));
    current.setContextClassLoader(child);
    observed.accept("read: " + Observe.outcome(plain::hidden));
    observed.accept("still: " + plain.echo("text"));
    current.setContextClassLoader(null);
    observed.accept("no context: " + Observe.outcome(plain::hidden) + plain.echo("text"));
    current.setContextClassLoader(own);
  }
}
