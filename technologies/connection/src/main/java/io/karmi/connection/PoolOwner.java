package io.karmi.connection;

import java.io.Closeable;
import java.rmi.RemoteException;
import java.util.List;

/** What the pools of a technology ask of it. */
interface PoolOwner {
  /** Name of the technology. */
  String name();

  ConnectionSettings settings();

  /** Splits the address of a UTID into those that can be dialled. */
  List<String> addresses(String ofNode);

  /** Opens a connection to one address. */
  CallConnection connect(ConnectionPool home, String address) throws RemoteException;

  /** Told by a pool that it has idle connections, which the watchdog has to look after. */
  void tend(ConnectionPool pool);

  /** Does something that may wait for a peer. */
  void execute(Runnable work);

  /** Closes something unless {@link #isOpen} is said in time. */
  void expect(Closeable checked, long timeoutMillis);

  /** False if it was closed because it took too long. */
  boolean isOpen(Closeable checked, long timeoutMillis);

  /** A connection that this node had opened is closed. */
  void closed(CallConnection connection);

  /** The current thread may execute calls of another node from now on. */
  void beginServing();

  /** The current thread executes no calls any more. */
  void endServing();
}
