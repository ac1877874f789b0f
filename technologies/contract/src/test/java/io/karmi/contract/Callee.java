package io.karmi.contract;

import io.karmi.id.NodeId;
import io.karmi.id.RemoteInterface;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.JdkFormat;
import io.karmi.marshal.PlainTranslation;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.marshal.UkaFormat;
import io.karmi.technology.InCall;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands in for the runtime above a technology: a node with one object, whose methods are given by
 * number.
 *
 * <p>Thread-safe if the method is.
 */
public final class Callee implements UpCall {
  /** The number of the object that every callee has. */
  public static final long OBJECT = 1L << 32 | 7;

  /** Sixteen methods without names. */
  public static final RemoteInterface METHODS = methods();

  /**
   * Method of the object: reads arguments, calls {@link CallInput#endArguments}, begins and writes
   * the result.
   */
  public interface Body {
    /** Executes one call. */
    void run(InCall call, CallInput in, CallOutput out) throws Exception;
  }

  private final NodeId node;
  private final Body body;
  private final AtomicInteger calls = new AtomicInteger();

  /** A node whose object does this. */
  public Callee(Body body) {
    this(NodeId.random(), body);
  }

  /** A node with an id that may be another's. */
  public Callee(NodeId node, Body body) {
    this.node = node;
    this.body = body;
  }

  private static RemoteInterface methods() {
    long[] hashes = new long[16];
    String[] names = new String[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = 0x1234_5678L * (i + 1);
      names[i] = "method" + i;
    }
    return new RemoteInterface(new String[] {"Contract"}, names, hashes);
  }

  /** How often the object was called. */
  public int calls() {
    return calls.get();
  }

  @Override
  public NodeId node() {
    return node;
  }

  @Override
  public List<CallFormat> formats() {
    return List.of(new UkaFormat(), new JdkFormat());
  }

  @Override
  public RemoteTranslation translation() {
    return new PlainTranslation(Callee.class.getClassLoader());
  }

  @Override
  public void doApplicationCall(InCall call) throws IOException {
    calls.incrementAndGet();
    CallInput in = call.in();
    CallOutput out = call.out();
    in.readFor(Callee.class.getClassLoader(), null);
    try {
      body.run(call, in, out);
    } catch (Exception | LinkageError e) {
      if (!in.isArgumentsEnded()) {
        in.abandonMessage();
      }
      int outcome = out.isReplyBegun() ? CallOutput.RESULT_LOST : CallOutput.THROWN;
      call.discardReply();
      out.beginReply(outcome);
      out.writeObject(e);
    }
  }
}
