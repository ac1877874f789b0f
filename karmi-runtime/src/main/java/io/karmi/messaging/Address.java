package io.karmi.messaging;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.messaging.link.HostOfNode;
import io.karmi.technology.Pipe;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.rmi.Remote;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Destination of messages: the name of a node, and how the node is reached.
 *
 * <p>Two addresses are equal if they are of the same node, which proves nothing: a node says itself
 * who it is. What is sent to an address goes where its own ways lead; what is sent to the {@link
 * Receiver sender} of a message goes to that sender, whatever name it has given. {@code
 * Karmi.caller()} tells a handler what is proven of the sender. An address is not secret, but it
 * has the number of an object of the node, which others cannot guess: a node takes messages from
 * those that know one. Immutable and thread-safe.
 */
public final class Address implements Externalizable {
  private static final long serialVersionUID = 1;

  private transient ObjectId object;

  /** The proven sender at this address; null if the address has ways of its own. */
  private transient @Nullable Object sender;

  private transient volatile @Nullable Object destination;

  /** For {@link Externalizable} only, which then gives it what it lacks. */
  @SuppressWarnings("NullAway.Init")
  public Address() {}

  Address(ObjectId object) {
    this.object = Objects.requireNonNull(object);
  }

  /** That of a node which has opened a pipe to this one. */
  static Address ofSender(Pipe pipe) {
    Address address = new Address(new ObjectId(pipe.remote(), 0));
    address.sender = pipe.identity();
    return address;
  }

  /**
   * Equal for addresses that share a link. Addresses of one node may differ, as any peer can claim
   * its name.
   */
  Object destination() {
    Object known = destination;
    if (known == null) {
      known = sender != null ? sender : new Destination(object);
      destination = known;
    }
    return known;
  }

  /** An object, and how it is reached. */
  private static final class Destination {
    private final ObjectId object;
    private final int hash;

    Destination(ObjectId object) {
      this.object = object;
      int mixed = object.hashCode();
      for (int i = 0; i < object.technologyCount(); i++) {
        mixed = 31 * mixed + object.technology(i).hashCode();
      }
      hash = mixed;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (other == this) {
        return true;
      }
      if (!(other instanceof Destination) || ((Destination) other).hash != hash) {
        return false;
      }
      ObjectId that = ((Destination) other).object;
      boolean same = object.equals(that) && object.technologyCount() == that.technologyCount();
      for (int i = 0; same && i < object.technologyCount(); i++) {
        same = object.technology(i).equals(that.technology(i));
      }
      return same;
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /**
   * The address of the node where a remote object lives.
   *
   * @param stub of KaRMI's, or an exported object of this node
   * @throws IllegalArgumentException if it is neither
   */
  public static Address of(Remote stub) {
    return new Address(HostOfNode.get().objectId(stub));
  }

  /**
   * The address of the node that listens at a TCP port, whatever node that is.
   *
   * <p>It shows no knowledge of that node's objects. So the node takes messages from here only if
   * it has {@code karmi.messaging.open=true}; {@link #of} a stub from its registry does not need
   * that.
   */
  public static Address at(String host, int port) {
    return new Address(HostOfNode.get().locate(host, port));
  }

  /** The name of the node; {@link NodeId#UNKNOWN} for an address made {@link #at} a port. */
  NodeId node() {
    return object.node();
  }

  /** The object by which the node is reached. */
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
