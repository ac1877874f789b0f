package io.karmi.connection;

import io.karmi.guard.HostRates;
import io.karmi.id.NodeId;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.Pipe;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.rmi.ConnectIOException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Connections of a technology that carry messages. Thread-safe. */
final class OpenPipes {
  private final Set<CallConnection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Makes a pipe of a connection that this node has opened; closes the connection if that fails.
   *
   * @param node the node that must answer, or {@link NodeId#UNKNOWN}
   * @param address the address that was dialled
   */
  Pipe opened(CallConnection connection, String technology, NodeId node, String address, long key)
      throws RemoteException {
    ConnectionPipe pipe = null;
    try {
      if (node != NodeId.UNKNOWN && !node.equals(connection.remote)) {
        throw new NoSuchObjectException("node " + node + " is gone, " + address + " is another");
      }
      pipe = ConnectionPipe.open(connection, technology, key, () -> open.remove(connection));
      enter(connection, pipe);
      return pipe;
    } catch (RemoteException e) {
      throw e;
    } catch (IOException e) {
      throw new ConnectIOException("no pipe to " + address, e);
    } finally {
      if (pipe == null) {
        connection.close();
      }
    }
  }

  /**
   * Hands an incoming connection to the layer above.
   *
   * @param rate limit of its rate, or null
   * @param whenEnded gives its place back; runs once, when it is closed
   */
  void accepted(
      CallConnection connection,
      UpCall upCall,
      ConnectionSettings settings,
      HostRates.@Nullable HostRate rate,
      Runnable whenEnded) {
    Runnable end =
        () -> {
          whenEnded.run();
          open.remove(connection);
        };
    ConnectionPipe pipe = null;
    boolean taken = false;
    try {
      pipe = ConnectionPipe.accept(connection, settings.handshakeTimeoutMillis, rate, end);
      enter(connection, pipe);
      if (!closed) {
        upCall.accept(pipe);
      }
      taken = true;
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "a pipe is refused", e);
    } finally {
      if (pipe == null) {
        connection.close();
        end.run();
      } else if (!taken) {
        pipe.close(); // for want of memory or threads
      }
    }
  }

  private void enter(CallConnection connection, Pipe pipe) {
    open.add(connection);
    if (closed) {
      pipe.close();
    }
  }

  void closeAll() {
    closed = true;
    open.forEach(CallConnection::close);
  }
}
