package io.karmi.exchange;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;

/**
 * An immutable group of objects in an exchange space, and a hold on it: the group lives while
 * someone holds it, a key is bound to it, or another group refers to it.
 *
 * <p>Serialized, it is 24 bytes: its address and the space's number. The JVM that reads it joins
 * the group of the space that the JVM has joined; it is fetched at the first call of {@link
 * #object}. The writer holds what it has written for another minute, until the reader's hold
 * counts.
 *
 * <p>A group that is not closed is given up when it is garbage. Thread-safe.
 *
 * @param <T> class of the root
 */
public final class Group<T> implements Serializable, AutoCloseable {
  private static final long serialVersionUID = 1;

  /** A {@link Hold}; while it is read, a {@link Named}. */
  private transient Object state;

  /** Null while it is read. */
  private transient JoinedSpace space;

  /** What its serialized form says. */
  private record Named(long space, GroupAddress address) {}

  /** Holds a group that has been counted for it. */
  @SuppressWarnings("this-escape") // to a reference, which asks nothing of it
  Group(JoinedSpace space, Hold.Holds holds, OpenGroup group) {
    this.space = space;
    state = holds.open(group, this);
  }

  private Hold hold() {
    return (Hold) state;
  }

  long spaceId() {
    return space.id();
  }

  /** Its name within the space. */
  public GroupAddress address() {
    return hold().group.address;
  }

  /**
   * Length of its marshalled form in bytes. It is fetched if it is not on this host.
   *
   * @throws UncheckedIOException if that fails
   */
  public long lengthBytes() {
    try {
      return space.lengthBytes(opened());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The one copy that this JVM has, made at the first call. All callers share it, so treat it as
   * immutable; {@link #copy} makes one to change.
   *
   * @throws GroupLostException if it is with none of those who had it
   * @throws java.io.InvalidClassException if a class is missing here, or is another version
   * @throws java.util.ConcurrentModificationException with {@code karmi.exchange.check=true}, if
   *     the copy has been changed
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // as said by who has put it, null as well
  public T object() throws IOException {
    return (T) space.objects.object(opened());
  }

  /** A fresh copy, which the caller may change. */
  @SuppressWarnings({"unchecked", "NullAway"})
  public T copy() throws IOException {
    return (T) space.objects.copy(opened());
  }

  /** The group, unless this hold was given up. */
  OpenGroup opened() throws IOException {
    if (!hold().isOpen()) {
      throw new IOException("group " + address() + " was closed here; get it again");
    }
    return hold().group;
  }

  /** Gives the hold up. Objects stay with those who have them. Without effect the second time. */
  @Override
  public void close() {
    hold().close();
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    OpenGroup group = opened();
    if (out instanceof RootOutput root) { // another group keeps it by referring to it
      root.refersTo(group.address, spaceId());
    } else {
      space.isSent(group);
    }
    out.writeLong(spaceId());
    out.writeInt(group.address.member());
    out.writeLong(group.address.sequence());
    out.writeInt(group.address.generation());
  }

  private void readObject(ObjectInputStream in) throws IOException {
    long id = in.readLong();
    state = new Named(id, new GroupAddress(in.readInt(), in.readLong(), in.readInt()));
  }

  private Object readResolve() throws InvalidObjectException {
    if (!(state instanceof Named named)) {
      throw new InvalidObjectException("a group without an address");
    }
    JoinedSpace joined = Spaces.find(named.space());
    if (joined == null) {
      throw new InvalidObjectException(
          "group "
              + named.address()
              + " is of space "
              + Long.toHexString(named.space())
              + ", which this JVM has not joined: join the space first (ExchangeSpace.join)");
    }
    return joined.hold(named.address());
  }

  @Override
  public String toString() {
    return "group " + address();
  }
}
