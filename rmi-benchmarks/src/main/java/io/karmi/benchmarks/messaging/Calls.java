package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.FreePort;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.IOException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.concurrent.atomic.LongAdder;

/** KaRMI's calls, which return what they are given. */
public final class Calls implements MessageSender {
  static final String LOOPBACK = "127.0.0.1";

  private static final String NAME = "called";

  /** The remote object; kept, as the registry has only its stub, and messages need none. */
  private static final Called CALLED = bytes -> bytes;

  private final Called called;
  private final LongAdder done = new LongAdder();

  /** The remote object in the registry of the JVM that receives. */
  public interface Called extends Remote {
    /** Returns its argument. */
    byte[] ping(byte[] bytes) throws RemoteException;
  }

  Calls(String port) throws RemoteException, NotBoundException {
    called = lookup(LOOPBACK, port);
  }

  static Called lookup(String host, String port) throws RemoteException, NotBoundException {
    return (Called) LocateRegistry.getRegistry(host, Integer.parseInt(port)).lookup(NAME);
  }

  /** Serves calls; returns the port of the registry. */
  static String serve() throws IOException {
    int port = FreePort.next();
    LocateRegistry.createRegistry(port).rebind(NAME, UnicastRemoteObject.exportObject(CALLED, 0));
    return Integer.toString(port);
  }

  @Override
  public boolean runs(MessageKernel kernel) {
    return kernel != MessageKernel.FOUR_INTS
        && kernel.ordinal() < MessageKernel.REQUEST_AMONG_LARGE.ordinal();
  }

  @Override
  public void send(int bytes) throws IOException {
    called.ping(Messages.ofLength(bytes).content());
    done.increment();
  }

  @Override
  public void request(int bytes) throws IOException {
    called.ping(Messages.ofLength(bytes).content());
  }

  @Override
  public long arrived() {
    return done.sum();
  }
}
