package io.karmi.contract;

import io.karmi.id.NodeId;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.technology.InCall;
import io.karmi.technology.Pipe;
import io.karmi.technology.PipeAcceptor;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.util.List;

/** A node that takes messages: it gives the pipes that come in to the test. Thread-safe. */
public final class MessageTaker implements UpCall {
  private final Callee node = new Callee((call, in, out) -> in.endArguments());
  private final PipeAcceptor acceptor;
  private volatile boolean takes = true;

  /** A node whose pipes are taken by the acceptor. */
  public MessageTaker(PipeAcceptor acceptor) {
    this.acceptor = acceptor;
  }

  /** From now on it takes none. */
  public void refuse() {
    takes = false;
  }

  @Override
  public NodeId node() {
    return node.node();
  }

  @Override
  public List<CallFormat> formats() {
    return node.formats();
  }

  @Override
  public RemoteTranslation translation() {
    return node.translation();
  }

  @Override
  public void doApplicationCall(InCall call) throws IOException {
    node.doApplicationCall(call);
  }

  @Override
  public boolean takesMessages() {
    return takes;
  }

  @Override
  public void accept(Pipe pipe) {
    acceptor.accept(pipe);
  }
}
