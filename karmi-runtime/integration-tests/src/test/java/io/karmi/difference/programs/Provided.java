package io.karmi.difference.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.net.MalformedURLException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMIClassLoader;
import java.rmi.server.RMIClassLoaderSpi;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Consumer;

/** Classes from a provider that the program has named, as stock RMI asks it. */
public final class Provided implements Program {
  /** Says what it makes of a value. */
  public interface Assessor extends Remote {
    String loaderOf(Object value) throws RemoteException;

    Object unread() throws RemoteException;
  }

  static final class AssessorObject implements Assessor {
    @Override
    public String loaderOf(Object value) {
      return "of " + value.getClass().getClassLoader().getName();
    }

    @Override
    public Object unread() {
      return new Refused();
    }
  }

  /** The server's provider has another one of it. */
  public static final class Alike implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** The client's provider does not want it. */
  public static final class Refused implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** Has one class of its own, and refuses another one. */
  public static final class Provider extends RMIClassLoaderSpi {
    private static final ClassLoader OWN = new Own();

    private final RMIClassLoaderSpi rest = RMIClassLoader.getDefaultProviderInstance();

    @Override
    public Class<?> loadClass(String codebase, String name, ClassLoader defaultLoader)
        throws MalformedURLException, ClassNotFoundException {
      if (name.endsWith("$Refused")) {
        throw new ClassNotFoundException(name + " is refused");
      }
      return name.endsWith("$Alike")
          ? Class.forName(name, false, OWN)
          : rest.loadClass(codebase, name, defaultLoader);
    }

    @Override
    public Class<?> loadProxyClass(String codebase, String[] interfaces, ClassLoader defaultLoader)
        throws MalformedURLException, ClassNotFoundException {
      return rest.loadProxyClass(codebase, interfaces, defaultLoader);
    }

    @Override
    public ClassLoader getClassLoader(String codebase) throws MalformedURLException {
      return rest.getClassLoader(codebase);
    }

    @Override
    public String getClassAnnotation(Class<?> type) {
      return null;
    }
  }

  private static final class Own extends ClassLoader {
    Own() {
      super("provider", Provided.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.endsWith("$Alike")) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
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
  }

  /** Static, so that no collector takes it. */
  private static Assessor assessor;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    System.setProperty("java.rmi.server.RMIClassLoaderSpi", Provider.class.getName());
    assessor = new AssessorObject();
    LocateRegistry.createRegistry(port)
        .bind("assessor", UnicastRemoteObject.exportObject(assessor, 0));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    System.setProperty("java.rmi.server.RMIClassLoaderSpi", Provider.class.getName());
    Assessor found = (Assessor) LocateRegistry.getRegistry("localhost", port).lookup("assessor");
    observed.accept("taken: " + found.loaderOf(new Alike()));
    observed.accept("again: " + found.loaderOf(new Alike()));
    observed.accept("not taken: " + Observe.outcome(() -> found.loaderOf(new Refused())));
    observed.accept("not read: " + Observe.outcome(found::unread));
    observed.accept("still: " + found.loaderOf(new Alike()));
  }
}
