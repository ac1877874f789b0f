package io.karmi.connection.pool;

import io.karmi.connection.call.CallConnection;
import io.karmi.technology.ConnectionSettings;
import java.io.Closeable;
import java.rmi.RemoteException;
import java.util.List;

/** The technology of pools, as far as these need it. */
public interface PoolOwner {
  /** Name of the technology. */
  String name();

  ConnectionSettings settings();

  /** Splits the address of a UTID into those that can be dialled. */
  List<String> addresses(String ofNode);

  /** Opens a connection to one address. */
  CallConnection connect(ConnectionPool home, String address) throws RemoteException;

  /** Called by a pool that has idle connections, which the watchdog has to check. */
  void tend(ConnectionPool pool);

  /** Executes work that may wait for a peer. */
  void execute(Runnable work);

  /** Closes something unless {@link #isOpen} is called in time. */
  void expect(Closeable checked, long timeoutMillis);

  /** False if it was closed because it took too long. */
  boolean isOpen(Closeable checked, long timeoutMillis);

  /** Called when a connection that this node had opened is closed. */
  void closed(CallConnection connection);

  /** Called by a thread that may execute calls of another node from now on. */
  void beginServing();

  /** Called by a thread that executes no calls any more. */
  void endServing();
}
