package io.karmi.benchmarks.peers;

import org.cojen.dirmi.Remote;
import org.cojen.dirmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** {@link io.karmi.benchmarks.kernels.Ping} as Dirmi wants it. */
public interface DirmiPing extends Remote {
  void ping() throws RemoteException;

  void ping(int a, int b) throws RemoteException;

  @Nullable Object ping(@Nullable Object argument) throws RemoteException;

  void ping(int a, int b, float c, float d) throws RemoteException;

  void take(@Nullable Object argument) throws RemoteException;

  @Nullable Object taken() throws RemoteException;

  long checksum() throws RemoteException;

  /** Bytes that the server's threads have allocated so far. */
  long allocatedBytes() throws RemoteException;

  /** Processor time of the server's process so far. */
  long cpuNanos() throws RemoteException;

  /** Ends the server's JVM. */
  void stop() throws RemoteException;
}
