package io.karmi.difference.programs;

import io.karmi.kit.FreePort;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.ServerSocket;
import java.rmi.MarshalledObject;
import java.rmi.Naming;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClassLoader;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteServer;
import java.rmi.server.UnicastRemoteObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** What exceptions say, in full, and what is said of stubs. */
public final class Messages implements Program {
  /** Fails in many ways. */
  public interface Talker extends Remote {
    Object echo(Object value) throws RemoteException;

    void fail(int how) throws RemoteException, IOException, OwnException;

    int number(int value, String text, long[] numbers) throws RemoteException;

    void take(Changed value) throws RemoteException;

    void unexport() throws RemoteException;
  }

  /** Arrives as an object of another type. */
  public static final class Changed implements Serializable {
    private static final long serialVersionUID = 1;

    private Object writeReplace() {
      return "changed";
    }
  }

  /** Declared by a method. */
  public static class OwnException extends Exception {
    private static final long serialVersionUID = 1;
    final transient Object lost = new Object();
    final int kept;

    OwnException(String message, int kept) {
      super(message);
      this.kept = kept;
    }

    private Object readResolve() {
      return new OwnException(getMessage() + " resolved", kept + 1);
    }
  }

  static final class Unwritable implements Serializable {
    private static final long serialVersionUID = 1;
    final Object field = new Object();
  }

  static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException {
      throw new IOException("cannot be read");
    }
  }

  static final class FailsRuntime implements Serializable {
    private static final long serialVersionUID = 1;

    private void writeObject(ObjectOutputStream out) {
      throw new IllegalStateException("cannot be written");
    }
  }

  static final class Replaced implements Serializable {
    private static final long serialVersionUID = 1;

    private Object writeReplace() throws ObjectStreamException {
      throw new NotSerializableException("does not want to");
    }
  }

  static final class TalkerObject implements Talker {
    @Override
    public Object echo(Object value) {
      return value;
    }

    @Override
    public void fail(int how) throws IOException, OwnException {
      switch (how) {
        case 0 -> throw new RemoteException("of the server's own");
        case 1 -> throw new ServerException("nested", new RemoteException("inner"));
        case 2 -> throw new OwnException("own", 3);
        case 3 -> throw new StackOverflowError("deep");
        case 4 -> throw new RemoteException("with a cause", new IllegalStateException("cause"));
        case 5 -> throw new java.rmi.NoSuchObjectException("not mine");
        case 6 ->
            throw new java.rmi.ConnectException("a third", new java.net.ConnectException("r"));
        case 7 -> throw new IOException(null, null);
        case 8 -> throw new NoClassDefFoundError("some/Class");
        case 9 -> throw new java.rmi.AccessException("no access");
        case 10 -> throw new java.rmi.ServerError("an error", new Error("inside"));
        case 11 -> throw new java.rmi.UnexpectedException("unexpected", new Exception("inside"));
        default -> throw new NullPointerException();
      }
    }

    @Override
    public int number(int value, String text, long[] numbers) {
      return value + text.length() + numbers.length;
    }

    @Override
    public void take(Changed value) {}

    @Override
    public void unexport() throws RemoteException {
      UnicastRemoteObject.unexportObject(this, true);
    }
  }

  /** Static, so that no collector takes them. */
  private static TalkerObject talker;

  private static TalkerObject mortal;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    talker = new TalkerObject();
    mortal = new TalkerObject();
    Remote stub = UnicastRemoteObject.exportObject(talker, 0);
    registry.bind("talker", stub);
    registry.bind("mortal", UnicastRemoteObject.exportObject(mortal, 0));
    local(observed);
    logs(observed);
    strings(registry, stub, observed);
  }

  private static void local(Consumer<String> observed) throws Exception {
    TalkerObject other = new TalkerObject();
    full(observed, "toStub", () -> RemoteObject.toStub(other));
    full(observed, "unexport", () -> UnicastRemoteObject.unexportObject(other, true));
    full(observed, "unexport", () -> UnicastRemoteObject.unexportObject(null, true));
    full(observed, "export", () -> UnicastRemoteObject.exportObject(talker, 0));
    full(observed, "export null", () -> UnicastRemoteObject.exportObject(null, 0));
    full(observed, "client host", RemoteServer::getClientHost);
    try (ServerSocket taken = new ServerSocket(0)) {
      int port = taken.getLocalPort();
      full(observed, "taken", () -> UnicastRemoteObject.exportObject(other, port), port);
      full(observed, "registry taken", () -> LocateRegistry.createRegistry(port), port);
    }
    full(observed, "large port", () -> UnicastRemoteObject.exportObject(other, 99999));
    full(observed, "registry at a large port", () -> LocateRegistry.createRegistry(99999));
    full(observed, "registry at a negative port", () -> LocateRegistry.createRegistry(-3));
    Talker at = (Talker) UnicastRemoteObject.exportObject(other, 0);
    for (int how = 0; how <= 12; how++) {
      int which = how;
      full(observed, "at home " + how, () -> fail(at, which));
    }
    values(at, "at home ", observed);
    UnicastRemoteObject.unexportObject(other, true);
    full(observed, "gone at home", () -> at.echo("x"));
  }

  private static Object fail(Talker talker, int how) throws Exception {
    talker.fail(how);
    return "nothing";
  }

  private static void values(Talker found, String where, Consumer<String> observed) {
    full(observed, where + "unwritable", () -> found.echo(new Unwritable()));
    full(observed, where + "object", () -> found.echo(new Object()));
    full(observed, where + "unreadable", () -> found.echo(new Unreadable()));
    full(observed, where + "runtime", () -> found.echo(new FailsRuntime()));
    full(observed, where + "replaced", () -> found.echo(new Replaced()));
    full(observed, where + "null", () -> found.number(1, null, new long[0]));
    full(observed, where + "remote", () -> found.echo(new TalkerObject()));
    full(observed, where + "registry", () -> found.echo(talker) instanceof Talker);
  }

  private static void logs(Consumer<String> observed) {
    observed.accept("log: " + RemoteServer.getLog());
    RemoteServer.setLog(OutputStream.nullOutputStream());
    observed.accept("log: " + (RemoteServer.getLog() != null));
    RemoteServer.setLog(null);
    observed.accept("log: " + RemoteServer.getLog());
  }

  private static void strings(Registry registry, Remote stub, Consumer<String> observed)
      throws Exception {
    observed.accept("annotation: " + RMIClassLoader.getClassAnnotation(TalkerObject.class));
    observed.accept("annotation: " + RMIClassLoader.getClassAnnotation(String.class));
    full(observed, "loads", () -> RMIClassLoader.loadClass((String) null, "java.lang.String"));
    full(observed, "loads none", () -> RMIClassLoader.loadClass((String) null, "no.such.Class"));
    full(observed, "loads primitive", () -> RMIClassLoader.loadClass((String) null, "int"));
    full(observed, "bad codebase", () -> RMIClassLoader.loadClass("bad::url", "no.such.Class"));
    observed.accept("stub: " + stub.toString().replaceAll("\\[.*", ""));
    Set<Object> stubs = new HashSet<>(List.of(stub));
    observed.accept("in a set: " + stubs.contains(RemoteObject.toStub(talker)));
    Map<Object, String> map = new HashMap<>(Map.of(RemoteObject.toStub(talker), "v"));
    observed.accept("in a map: " + map.get(stub));
    observed.accept("equals null: " + stub.equals(null) + stub.equals("x"));
    Remote copy = new MarshalledObject<>(stub).get();
    observed.accept("copy: " + copy.equals(stub) + (copy.hashCode() == stub.hashCode()));
    observed.accept("of an object: " + new MarshalledObject<>(new TalkerObject2()).get());
    observed.accept("registry: " + registry.toString().replaceAll("\\[.*", ""));
  }

  /** Serializable, and not remote. */
  static final class TalkerObject2 implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      return "second";
    }
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Talker found = (Talker) registry.lookup("talker");
    for (int how = 0; how <= 12; how++) {
      int which = how;
      full(observed, "thrown " + how, () -> fail(found, which));
    }
    values(found, "", observed);
    /* Its cause is the virtual machine's. */
    observed.accept("changed: " + Observe.outcome(() -> take(found)).replaceAll(" <- .*", ""));
    full(observed, "unbound", () -> registry.lookup("nothing"));
    full(observed, "no name", () -> registry.lookup(null));
    full(observed, "unbind", () -> unbind(registry, "nothing"));
    full(observed, "bound", () -> bind(registry, "talker", found));
    full(observed, "no object", () -> bind(registry, "none", null));
    full(observed, "not exported", () -> bind(registry, "x", new TalkerObject()));
    Talker dying = (Talker) registry.lookup("mortal");
    full(observed, "unexported", () -> unexport(dying));
    full(observed, "gone", () -> dying.echo("x"));
    full(observed, "gone again", () -> registry.lookup("mortal").equals(dying));
    int dead = FreePort.any();
    full(observed, "dead port", () -> LocateRegistry.getRegistry("127.0.0.1", dead).list(), dead);
    full(observed, "dead URL", () -> Naming.lookup("rmi://127.0.0.1:" + dead + "/x"), dead);
    full(observed, "large port", () -> LocateRegistry.getRegistry("127.0.0.1", 70000).list());
    full(observed, "default port", () -> LocateRegistry.getRegistry(null, 0) != null);
    Registry same = LocateRegistry.getRegistry("localhost", port, null);
    observed.accept("equal: " + same.equals(registry) + (same.hashCode() == registry.hashCode()));
    observed.accept(
        "by address: " + LocateRegistry.getRegistry("127.0.0.1", port).equals(registry));
  }

  private static Object take(Talker talker) throws Exception {
    talker.take(new Changed());
    return "done";
  }

  private static Object unbind(Registry registry, String name) throws Exception {
    registry.unbind(name);
    return "done";
  }

  private static Object bind(Registry registry, String name, Remote object) throws Exception {
    registry.bind(name, object);
    return "done";
  }

  private static Object unexport(Talker talker) throws Exception {
    talker.unexport();
    return "done";
  }

  private static void full(
      Consumer<String> observed, String label, Callable<?> action, int... ports) {
    String outcome;
    try {
      outcome = String.valueOf(action.call()).replaceAll("[@\\[].*", "");
    } catch (NullPointerException e) {
      /* What it says is the virtual machine's. */
      outcome = Observe.thrown(e);
    } catch (Throwable e) {
      outcome = Observe.inFull(e);
    }
    for (int port : ports) {
      outcome = outcome.replace(String.valueOf(port), "PORT");
    }
    observed.accept(label + ": " + outcome);
  }
}
