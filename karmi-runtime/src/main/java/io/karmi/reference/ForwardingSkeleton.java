package io.karmi.reference;

import io.karmi.id.ObjectId;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.ForwardedCall;
import io.karmi.technology.InCall;
import java.rmi.ConnectException;
import java.rmi.Remote;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Skeleton of an object that forwards calls. It counts the nodes that have forwarded a call, and
 * refuses one that goes round in circles before its arguments are read. Thread-safe.
 */
public final class ForwardingSkeleton extends Skeleton {
  private final Skeleton skeleton;

  /** What is called; not the reference itself, which would keep the object alive for ever. */
  private final ObjectId callee;

  /**
   * A skeleton in front of another one.
   *
   * @param skeleton calls the stub
   * @param target the reference of that stub
   */
  public ForwardingSkeleton(Skeleton skeleton, ClientRef target) {
    super(skeleton.remoteInterface());
    this.skeleton = skeleton;
    this.callee = target.callee();
  }

  @Override
  @Nullable ClassLoader loader() {
    return skeleton.loader();
  }

  @Override
  public void upCall(Remote stub, int methodNumber, CallInput in, CallOutput out) throws Throwable {
    ForwardedCall outer = ForwardedCall.enter(forwarded());
    try {
      skeleton.upCall(stub, methodNumber, in, out);
    } finally {
      ForwardedCall.leave(outer);
    }
  }

  private ForwardedCall forwarded() throws RefusedCallException {
    InCall call = CallContext.current();
    Map<String, String> header = call == null ? Map.of() : call.header();
    try {
      return ForwardedCall.of(header, callee);
    } catch (ConnectException e) {
      throw new RefusedCallException(e);
    }
  }
}
