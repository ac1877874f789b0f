package io.karmi;

import io.karmi.interceptor.CallAuthorizer;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.interceptor.Caller;
import io.karmi.reference.CallContext;
import io.karmi.reference.Node;
import io.karmi.reference.NodeFactory;
import io.karmi.stub.Replicas;
import java.rmi.Remote;
import java.util.Optional;

/**
 * What programs may ask of KaRMI beyond java.rmi. Thread-safe.
 *
 * <p>It also wires the node of this JVM from its {@link NodeConfig}; the reference layer finds it
 * by name.
 */
public final class Karmi implements NodeFactory {
  /** For the reference layer. */
  public Karmi() {}

  /** Puts an interceptor around the calls of this JVM's node, behind those that are there. */
  public static void add(CallInterceptor interceptor) {
    Node.current().add(interceptor);
  }

  /**
   * Has the calls of this JVM's objects authorized, by this one and by those that are there. To be
   * added before the first export: what was connected or exported by stock RMI before stays so.
   */
  public static void add(CallAuthorizer authorizer) {
    Node.current().add(authorizer);
  }

  /**
   * Who has made the call that this thread executes, for remote methods, interceptors and
   * authorizers; also while arguments are read.
   *
   * @return empty outside of such a call, in threads that a method has started, and in calls of
   *     programs without KaRMI, of which {@code RemoteServer.getClientHost} knows the host
   */
  public static Optional<Caller> caller() {
    return Optional.ofNullable(CallContext.caller());
  }

  /**
   * One stub for several objects that can stand for each other (paper 4.2): it calls the first one,
   * and the next one when that cannot be reached. The stub can be passed, bound and stored as any
   * other.
   *
   * <p>It is for methods that read. Where a connection is lost during a call, the call may have
   * been executed, and is executed once more by another object.
   *
   * @param stubs of KaRMI, the preferred one first; at most 64
   * @return implements the remote interfaces that all of them have
   * @throws IllegalArgumentException if one is no stub of KaRMI's, or they have no remote interface
   *     in common
   */
  public static Remote replicated(Remote... stubs) {
    return Replicas.of(stubs);
  }

  @Override
  public Node open() {
    Node node = NodeConfig.fromProperties().open();
    Management.offer(node);
    GarbageInterval.keep();
    return node;
  }
}
