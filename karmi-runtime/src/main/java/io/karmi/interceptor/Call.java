package io.karmi.interceptor;

import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import org.jspecify.annotations.Nullable;

/** One remote call: its object, its method and the peer at the other end. Immutable. */
public final class Call {
  private final ObjectId object;
  private final RemoteInterface type;
  private final int methodNumber;
  private final String peer;
  private final @Nullable Class<?> target;

  /**
   * Made by the runtime.
   *
   * @param target at the callee the class of the object
   */
  public Call(
      ObjectId object,
      RemoteInterface type,
      int methodNumber,
      String peer,
      @Nullable Class<?> target) {
    this.target = target;
    this.object = object;
    this.type = type;
    this.methodNumber = methodNumber;
    this.peer = peer;
  }

  /**
   * The number of the object that is called, unique in its node; up to 15 for objects that every
   * node may have, such as a registry.
   */
  public long objectNumber() {
    return object.number();
  }

  /** Whether this is a message or a request of {@code io.karmi.messaging}, and no call. */
  public boolean isMessage() {
    return object.number() == ObjectId.MESSAGES;
  }

  /** The binary name of the first of its remote interfaces; empty if that is not known. */
  public String interfaceName() {
    return type.interfaceCount() == 0 ? "" : type.interfaceName(0);
  }

  /** The binary name of the remote interface that declares the method; empty if not known. */
  public String declaringInterface() {
    return type.declarer(methodNumber);
  }

  /** At the callee the class of the called object; null at the caller, and for messages. */
  public @Nullable Class<?> target() {
    return target;
  }

  /** Name and descriptor of the method, such as {@code add(II)I}. */
  public String method() {
    return type.methodName(methodNumber);
  }

  /** At the callee the caller's address; at the caller the node that is called. */
  public String peer() {
    return peer;
  }

  @Override
  public String toString() {
    return interfaceName() + "." + method() + " of " + object;
  }
}
