package io.karmi.connection;

import io.karmi.connection.channel.ConnectionLog;
import io.karmi.connection.channel.NodeChannel;
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

/** Pipes of a technology. Thread-safe. */
final class OpenPipes {
  private final Set<NodeChannel> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Makes a pipe of a channel that this node has opened; closes the channel if that fails.
   *
   * @param node the node that must answer, or {@link NodeId#UNKNOWN}
   * @param address the address that was dialled
   */
  Pipe opened(NodeChannel channel, String technology, NodeId node, String address, long key)
      throws RemoteException {
    ChannelPipe pipe = null;
    try {
      if (node != NodeId.UNKNOWN && !node.equals(channel.introduction().peer.node)) {
        throw new NoSuchObjectException("node " + node + " is gone, " + address + " is another");
      }
      pipe = ChannelPipe.open(channel, technology, key, () -> open.remove(channel));
      enter(channel, pipe);
      return pipe;
    } catch (RemoteException e) {
      throw e;
    } catch (IOException e) {
      throw new ConnectIOException("no pipe to " + address, e);
    } finally {
      if (pipe == null) {
        channel.close();
      }
    }
  }

  /**
   * Hands an incoming channel to the layer above.
   *
   * @param rate limit of its rate, or null
   * @param whenEnded runs once, when it is closed
   */
  void accepted(
      NodeChannel channel,
      UpCall upCall,
      ConnectionSettings settings,
      HostRates.@Nullable HostRate rate,
      Runnable whenEnded) {
    Runnable end =
        () -> {
          whenEnded.run();
          open.remove(channel);
        };
    ChannelPipe pipe = null;
    boolean taken = false;
    try {
      pipe = ChannelPipe.accept(channel, settings.handshakeTimeoutMillis, rate, end);
      enter(channel, pipe);
      if (!closed) {
        upCall.accept(pipe);
      }
      taken = true;
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "a pipe is refused", e);
    } finally {
      if (pipe == null) {
        channel.close();
        end.run();
      } else if (!taken) {
        pipe.close(); // for want of memory or threads
      }
    }
  }

  private void enter(NodeChannel channel, Pipe pipe) {
    open.add(channel);
    if (closed) {
      pipe.close();
    }
  }

  void closeAll() {
    closed = true;
    open.forEach(NodeChannel::close);
  }
}
