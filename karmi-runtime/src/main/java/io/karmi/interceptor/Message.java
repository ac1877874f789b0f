package io.karmi.interceptor;

/** One message or request of {@code io.karmi.messaging}, as interceptors see it. Immutable. */
public final class Message {
  private final Class<?> type;
  private final boolean request;
  private final String peer;

  /** Made by the runtime. */
  public Message(Class<?> type, boolean request, String peer) {
    this.type = type;
    this.request = request;
    this.peer = peer;
  }

  /** The class of the object that is sent. */
  public Class<?> type() {
    return type;
  }

  /** Whether it is to be answered. */
  public boolean isRequest() {
    return request;
  }

  /** At the receiver the sender's address; at the sender the node that it is sent to. */
  public String peer() {
    return peer;
  }

  @Override
  public String toString() {
    return (request ? "request " : "message ") + type.getName();
  }
}
