package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.kernels.Ping;
import java.rmi.RemoteException;
import org.cojen.dirmi.Remote;
import org.cojen.dirmi.RemoteFailure;

/** {@link Ping} as Dirmi wants it: what fails is told by RMI's exception. */
@RemoteFailure(exception = RemoteException.class)
public interface DirmiPing extends Remote, Ping {
  /** Bytes that the server's threads have allocated so far. */
  long allocatedBytes() throws RemoteException;

  /** Processor time of the server's process so far. */
  long cpuNanos() throws RemoteException;

  /** Ends the server's JVM. */
  void stop() throws RemoteException;
}
