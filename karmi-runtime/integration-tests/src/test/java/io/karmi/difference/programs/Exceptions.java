package io.karmi.difference.programs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What callers see of everything that can go wrong in a call. */
public final class Exceptions implements Program {
  /** Throws and fails on demand. */
  public interface Thrower extends Remote {
    void declared(int what) throws RemoteException, IOException;

    Object echo(Object argument) throws RemoteException;

    Object unwritable() throws RemoteException;

    int calls() throws RemoteException;
  }

  /** More methods than the server has. */
  public interface NewerThrower extends Thrower {
    void unknown() throws RemoteException;
  }

  static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException {
      throw new IOException("cannot be read");
    }
  }

  static final class Unwritable implements Serializable {
    private static final long serialVersionUID = 1;
    final Object field = new Object();
  }

  static final class Server extends UnicastRemoteObject implements Thrower {
    private static final long serialVersionUID = 1;
    private final RuntimeException twice = new IllegalArgumentException("the same twice");
    private int calls;

    Server() throws RemoteException {}

    @Override
    public void declared(int what) throws IOException {
      calls++;
      switch (what) {
        case 0 -> throw new IllegalStateException("runtime");
        case 1 -> throw new OutOfMemoryError("error");
        case 2 -> throw new RemoteException("remote", new IOException("inside"));
        case 3 -> throw new IOException("declared");
        case 4 -> throw new FileNotFoundException("subclass of declared");
        case 5 -> Server.<RuntimeException>sneak(new InterruptedException("undeclared"));
        case 6 -> throw twice;
        case 7 -> {
          IOException outer = new IOException("outer", new IllegalStateException("cause"));
          outer.addSuppressed(new RuntimeException("suppressed"));
          throw outer;
        }
        default -> throw new UnsupportedOperationException();
      }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
      throw (T) thrown;
    }

    @Override
    public Object echo(Object argument) {
      calls++;
      return argument;
    }

    @Override
    public Object unwritable() {
      calls++;
      return new Unwritable();
    }

    @Override
    public int calls() {
      return calls;
    }
  }

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Server server = new Server();
    LocateRegistry.createRegistry(port).bind("thrower", server);
    observed.accept("at home: " + thrownBy((Thrower) RemoteObject.toStub(server), 3));
    observed.accept("at home, suppressed: " + thrownBy((Thrower) RemoteObject.toStub(server), 7));
    observed.accept("at home, error: " + thrownBy((Thrower) RemoteObject.toStub(server), 1));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Thrower server = (Thrower) registry.lookup("thrower");
    for (int what = 0; what <= 7; what++) {
      observed.accept(what + ": " + thrownBy(server, what));
    }
    observed.accept("again: " + thrownBy(server, 6));
    observed.accept("unserializable argument: " + Observe.outcome(() -> server.echo(new Object())));
    observed.accept("deep: " + Observe.outcome(() -> server.echo(new Object[] {new Unwritable()})));
    observed.accept("calls so far: " + server.calls());
    observed.accept("unserializable result: " + Observe.outcome(server::unwritable));
    observed.accept("unreadable argument: " + Observe.outcome(() -> server.echo(new Unreadable())));
    observed.accept("after all that: " + server.echo("fine") + " " + server.calls());
    observed.accept(
        "not serializable: "
            + Observe.outcome(() -> server.echo(new NotSerializableException("an argument"))));
  }

  private static String thrownBy(Thrower server, int what) {
    try {
      server.declared(what);
      return "nothing";
    } catch (Throwable e) {
      return Observe.inFull(e) + frames(e) + " suppressed " + e.getSuppressed().length;
    }
  }

  /** Where in the trace the frames of server and client stand, and how many of each there are. */
  private static String frames(Throwable thrown) {
    int servers = 0;
    int clients = 0;
    boolean ordered = true;
    List<Throwable> all = new ArrayList<>(List.of(thrown.getSuppressed()));
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      all.add(each);
    }
    for (Throwable each : all) {
      for (StackTraceElement frame : each.getStackTrace()) {
        if (frame.getMethodName().equals("declared") && frame.getClassName().endsWith("$Server")) {
          servers++;
          ordered &= clients == 0;
        } else if (frame.getMethodName().equals("thrownBy")) {
          clients++;
        }
      }
    }
    return " frames " + servers + "+" + clients + (ordered ? " in order" : " mixed");
  }
}
