package io.karmi.messaging;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.rmi.Remote;
import java.util.Objects;

/**
 * Where messages to a node go: its name, and how it is reached.
 *
 * <p>Two addresses are equal if they are of the same node. An address is not secret, but it has the
 * number of an object of the node, which others cannot guess: a node takes messages from those that
 * know one. Immutable and thread-safe.
 */
public final class Address implements Externalizable {
  private static final long serialVersionUID = 1;

  private transient ObjectId object;

  /** For {@link Externalizable} only, which then gives it what it lacks. */
  @SuppressWarnings("NullAway.Init")
  public Address() {}

  Address(ObjectId object) {
    this.object = Objects.requireNonNull(object);
  }

  /**
   * The address of the node where a remote object lives.
   *
   * @param stub of KaRMI's, or an exported object of this node
   * @throws IllegalArgumentException if it is neither
   */
  public static Address of(Remote stub) {
    return new Address(NodeMessaging.host().objectId(stub));
  }

  /**
   * The address of the node that listens at a TCP port, whatever node that is.
   *
   * <p>It shows no knowledge of that node's objects. So the node takes messages from here only if
   * it has {@code karmi.messaging.open=true}; {@link #of} a stub from its registry does not need
   * that.
   */
  public static Address at(String host, int port) {
    return new Address(NodeMessaging.host().locate(host, port));
  }

  /** The name of the node; {@link NodeId#UNKNOWN} for an address made {@link #at} a port. */
  public NodeId node() {
    return object.node();
  }

  /** How the node is reached. */
  ObjectId object() {
    return object;
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    object.write(out);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    object = ObjectId.read(in);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Address)) {
      return false;
    }
    ObjectId that = ((Address) other).object;
    return object.node() == NodeId.UNKNOWN
        ? that.node() == NodeId.UNKNOWN && object.equals(that)
        : object.node().equals(that.node());
  }

  @Override
  public int hashCode() {
    return object.node() == NodeId.UNKNOWN ? object.hashCode() : object.node().hashCode();
  }

  /** The node and how it is reached. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("node ").append(object.node());
    for (int i = 0; i < object.technologyCount(); i++) {
      TechnologyId way = object.technology(i);
      text.append(i == 0 ? " [" : ", ").append(way);
    }
    return object.technologyCount() == 0 ? text.toString() : text.append(']').toString();
  }
}
