package io.karmi.benchmarks.kernels;

import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Answers the kernels. */
final class PingServer extends Answers implements Ping, PingPongs {
  private final Queue<CallingBack> callingBack = new ConcurrentLinkedQueue<>();

  PingServer() throws RemoteException {
    UnicastRemoteObject.exportObject(this, 0);
  }

  @Override
  public PingPong open(Pong client) throws RemoteException {
    CallingBack opened = new CallingBack(client);
    callingBack.add(opened);
    return opened;
  }

  /** Unexports what was opened, so that the JVM can end. */
  void close() throws NoSuchObjectException {
    for (CallingBack opened : callingBack) {
      UnicastRemoteObject.unexportObject(opened, true);
    }
  }

  /** Calls one client back. */
  private static final class CallingBack extends UnicastRemoteObject implements PingPong {
    private static final long serialVersionUID = 1;

    private final transient Pong client;

    CallingBack(Pong client) throws RemoteException {
      this.client = client;
    }

    @Override
    public void takePingPong(@Nullable Object argument) throws RemoteException {
      client.takePong(argument);
    }

    @Override
    public @Nullable Object pingPong(@Nullable Object argument) throws RemoteException {
      return client.pong(argument);
    }
  }
}
