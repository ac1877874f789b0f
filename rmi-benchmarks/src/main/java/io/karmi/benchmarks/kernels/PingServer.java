package io.karmi.benchmarks.kernels;

import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Answers the kernels. */
final class PingServer extends UnicastRemoteObject implements Ping, PingPongs {
  private static final long serialVersionUID = 1;

  private final transient AtomicLong checksum = new AtomicLong();
  private final transient Queue<CallingBack> callingBack = new ConcurrentLinkedQueue<>();
  private transient volatile @Nullable Object taken;

  PingServer() throws RemoteException {}

  @Override
  public void ping() {
    checksum.incrementAndGet();
  }

  @Override
  public void ping(int a, int b) {
    checksum.addAndGet(Pings.sum(a, b));
  }

  @Override
  public void ping(int a, int b, float c, float d) {
    checksum.addAndGet(Pings.sum(a, b, c, d));
  }

  @Override
  public @Nullable Object ping(@Nullable Object argument) {
    return argument;
  }

  @Override
  public void take(@Nullable Object argument) {
    taken = argument;
  }

  @Override
  public @Nullable Object taken() {
    return taken;
  }

  @Override
  public long checksum() {
    return checksum.get();
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
