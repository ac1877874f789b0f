package io.karmi.tcp;

import io.karmi.id.NodeId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallHeader;
import io.karmi.technology.InCall;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is known of the call that a connection has brought: the connection itself is the call, so
 * that none allocates one. A call back that is nested inside takes the place of the outer one, of
 * which nothing is asked any more.
 */
abstract class IncomingCall implements InCall {
  final Socket socket;
  final NodeId remote;
  private final TechnologyId endpoint;
  private final InterfaceTable received = new InterfaceTable();
  private final List<Runnable> whenGone = new ArrayList<>(0);
  private boolean gone;
  private Runnable whenReplied;

  private long objectNumber;
  private RemoteInterface callerInterface;
  private int methodNumber;
  private Map<String, String> header = Map.of();

  IncomingCall(Socket socket, NodeId remote, TechnologyId endpoint) {
    this.socket = socket;
    this.remote = remote;
    this.endpoint = endpoint;
  }

  /** Reads what comes before the arguments. */
  final void readRequest(FrameInput in, int frameHeader) throws IOException {
    header = (frameHeader & Frame.HEADER) == 0 ? Map.of() : CallHeader.read(in);
    objectNumber = in.readLong();
    callerInterface = received.read(in);
    methodNumber = callerInterface.checkMethodNumber(in.readVarInt());
  }

  /** The reply to the outermost call has been sent, or cannot be. */
  final void replied() {
    Runnable action = whenReplied;
    if (action != null) {
      whenReplied = null;
      action.run();
    }
  }

  /** The connection is closed. */
  final void ended() {
    List<Runnable> actions;
    synchronized (whenGone) {
      gone = true;
      actions = List.copyOf(whenGone);
      whenGone.clear();
    }
    actions.forEach(Runnable::run);
  }

  /** Whether somebody has asked to be told when it is closed: such a connection may be silent. */
  final boolean isWatched() {
    synchronized (whenGone) {
      return !whenGone.isEmpty();
    }
  }

  @Override
  public final void whenGone(Runnable action) {
    synchronized (whenGone) {
      if (!gone) {
        KeepAlive.set(socket);
        whenGone.add(action);
        return;
      }
    }
    action.run();
  }

  @Override
  public final void whenReplied(Runnable action) {
    whenReplied = action;
  }

  @Override
  public final long objectNumber() {
    return objectNumber;
  }

  @Override
  public final RemoteInterface callerInterface() {
    return callerInterface;
  }

  @Override
  public final int methodNumber() {
    return methodNumber;
  }

  @Override
  public final Map<String, String> header() {
    return header;
  }

  @Override
  public final NodeId caller() {
    return remote;
  }

  @Override
  public final String clientHost() {
    return socket.getInetAddress().getHostAddress();
  }

  @Override
  public final TechnologyId endpoint() {
    return endpoint;
  }
}
