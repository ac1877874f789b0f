package io.karmi.benchmarks.kernels;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Answers the kernels. */
final class PingServer extends UnicastRemoteObject implements Ping {
  private static final long serialVersionUID = 1;

  private final transient AtomicLong checksum = new AtomicLong();

  PingServer() throws RemoteException {}

  @Override
  public void ping() {
    checksum.incrementAndGet();
  }

  @Override
  public void ping(int a, int b) {
    checksum.addAndGet(a + 1_000_003L * b);
  }

  @Override
  public @Nullable Object ping(@Nullable Object argument) {
    return argument;
  }

  @Override
  public long checksum() {
    return checksum.get();
  }
}
