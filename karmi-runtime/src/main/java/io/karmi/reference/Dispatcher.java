package io.karmi.reference;

import io.karmi.guard.StackRoom;
import io.karmi.guard.TakenOver;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.reference.network.Technologies;
import io.karmi.technology.InCall;
import io.karmi.technology.Pipe;
import io.karmi.technology.PipeAcceptor;
import io.karmi.technology.SocketUpCall;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Dispatcher of incoming calls to the exported objects of a node. Thread-safe. */
final class Dispatcher implements SocketUpCall {
  /** So many calls back, one inside the other, have room on any stack. */
  private static final int FEW_NESTED = 16;

  private final HomeNode node;
  private final List<CallFormat> formats;
  private final Technologies technologies;
  private final Exporter exports;
  private final Collectors collectors;
  private final Inspection inspection;

  /** Whether the node ends. */
  private volatile boolean refusing;

  /** Acceptor of pipes; null while messages are not accepted. */
  private volatile @Nullable PipeAcceptor pipes;

  Dispatcher(
      HomeNode node,
      List<CallFormat> formats,
      Technologies technologies,
      Exporter exports,
      Collectors collectors,
      Inspection inspection) {
    this.node = node;
    this.formats = List.copyOf(formats);
    this.technologies = technologies;
    this.exports = exports;
    this.collectors = collectors;
    this.inspection = inspection;
  }

  /** Refuses calls of other nodes from now on. */
  void refuse() {
    refusing = true;
  }

  /** Gives pipes that other nodes open to an acceptor; before, they are refused. */
  void accept(PipeAcceptor acceptor) {
    pipes = acceptor;
  }

  /** Begins to end messages in good order. */
  void drainMessages() {
    PipeAcceptor acceptor = pipes;
    if (acceptor != null) {
      acceptor.drain();
    }
  }

  /** Whether no message is under way any more. */
  boolean isDrained() {
    PipeAcceptor acceptor = pipes;
    return acceptor == null || acceptor.isDrained();
  }

  void closeMessages() {
    PipeAcceptor acceptor = pipes;
    if (acceptor != null) {
      acceptor.close();
    }
  }

  @Override
  public NodeId node() {
    return node.id();
  }

  @Override
  public List<CallFormat> formats() {
    return formats;
  }

  @Override
  public RemoteTranslation translation() {
    return node.translation();
  }

  @Override
  public @Nullable TakenOver takeOver(Socket connection, byte[] first, Runnable whenClosed) {
    return node.watching().authorizes()
        ? null
        : node.stock().takeOver(connection, first, whenClosed);
  }

  @Override
  public boolean takesMessages() {
    return pipes != null;
  }

  @Override
  public void accept(Pipe pipe) {
    PipeAcceptor acceptor = pipes;
    if (acceptor != null) {
      acceptor.accept(pipe);
    } else {
      pipe.close();
    }
  }

  @Override
  public void doApplicationCall(InCall call) throws IOException {
    if (refusing && !ObjectId.isControl(call.objectNumber()) && !call.caller().equals(node.id())) {
      Replies.shuttingDown(call, node.id());
      return;
    }
    if (call.nesting() > 0) {
      executeWithin(call);
    } else {
      execute(call);
    }
  }

  private void executeWithin(InCall call) throws IOException {
    if (call.nesting() > FEW_NESTED && !StackRoom.isLeft(call.nesting())) {
      Replies.tooDeep(call);
    } else {
      execute(call);
    }
  }

  private void execute(InCall call) throws IOException {
    ServerRef known = ExportTable.objectAt(call.found());
    if (known != null) {
      known.doApplicationCall(call);
    } else {
      findAndExecute(call);
    }
  }

  private void findAndExecute(InCall call) throws IOException {
    if (call.objectNumber() == ObjectId.INSPECTION) {
      inspection.answer(call);
      return;
    }
    ServerRef ref = exports.find(call.objectNumber(), call.endpoint());
    if (call.objectNumber() == ObjectId.COLLECTOR && !collectors.isEmpty()) {
      collectors.receive(call);
    } else if (ref == null) {
      Replies.noSuchObject(call);
    } else {
      exports.keepPlace(call);
      ref.doApplicationCall(call);
    }
  }
}
