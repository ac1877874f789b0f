package io.karmi.id;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Name of a remote object: its node, its number there, and one UTID for each technology through
 * which the node is reached (paper 4.2).
 *
 * <p>Two ids are equal if node and number are; how the node is reached does not matter. Only while
 * the node is {@linkplain NodeId#UNKNOWN unknown} do the addresses stand in for it. Immutable.
 */
public final class ObjectId {
  /** Number of the registry of a port. */
  public static final long REGISTRY = 0;

  /** Number of the collector of a node. */
  public static final long COLLECTOR = 2;

  /** Number of what tells about stock RMI in the same JVM. */
  public static final long COUNTERPARTS = 3;

  /**
   * Number of no object: what messages are sent to where something decides about them as about
   * calls.
   */
  public static final long MESSAGES = 4;

  /** Number of what tells the tables of a node. */
  public static final long INSPECTION = 5;

  /** Numbers from 0 up to here have a fixed meaning. */
  private static final long LAST_WELL_KNOWN = 15;

  private static final int MAXIMUM_TECHNOLOGIES = 64;

  /** Bytes of memory of a UTID without its texts, and of a character of these, about. */
  private static final long TECHNOLOGY_BYTES = 128;

  private static final long CHARACTER_BYTES = 4;

  private final NodeId node;
  private final long number;
  private final TechnologyId[] technologies;

  /**
   * Names an object.
   *
   * @param technologies in the owner's order of preference; copied
   */
  public ObjectId(NodeId node, long number, TechnologyId... technologies) {
    this.node = node;
    this.number = number;
    this.technologies = technologies.clone();
  }

  /** Reads what {@link #write} wrote. */
  public static ObjectId read(DataInput in) throws IOException {
    NodeId node = NodeId.read(in);
    long number = in.readLong();
    int count = in.readUnsignedByte();
    if (count > MAXIMUM_TECHNOLOGIES) {
      throw new IOException(
          "object id with " + count + " technologies; at most " + MAXIMUM_TECHNOLOGIES);
    }
    TechnologyId[] technologies = new TechnologyId[count];
    for (int i = 0; i < count; i++) {
      technologies[i] = TechnologyId.read(in);
    }
    return new ObjectId(node, number, technologies);
  }

  /** Writes node, number and all technologies. */
  public void write(DataOutput out) throws IOException {
    node.write(out);
    out.writeLong(number);
    out.writeByte(technologies.length);
    for (TechnologyId technology : technologies) {
      technology.write(out);
    }
  }

  /** Another object of the same node. */
  public ObjectId sibling(long otherNumber) {
    return new ObjectId(node, otherNumber, technologies);
  }

  /** The node where the object lives. */
  public NodeId node() {
    return node;
  }

  /** The object's number in its node. */
  public long number() {
    return number;
  }

  /** True for registry, collector and their like, which have one fixed number in every node. */
  public boolean isWellKnown() {
    return isWellKnown(number);
  }

  /** True for a number that has a fixed meaning in every node. */
  public static boolean isWellKnown(long number) {
    return number >= 0 && number <= LAST_WELL_KNOWN;
  }

  /**
   * True for an object of the runtime's own that only its messages call: they are not shown to
   * programs, and they say nothing about references that another call has brought.
   */
  public boolean isControl() {
    return isControl(number);
  }

  /** True for the number of an object for which {@link #isControl()} holds. */
  public static boolean isControl(long number) {
    return number == COLLECTOR;
  }

  /** True if each listening end of a node has an object of this number for itself. */
  public boolean isOfOneEnd() {
    return number == REGISTRY;
  }

  /** The number of technologies that reach the node. */
  public int technologyCount() {
    return technologies.length;
  }

  /** Bytes of memory that it takes, about, and a stub with it in its stored form. */
  public long memoryBytes() {
    long bytes = 0;
    for (TechnologyId each : technologies) {
      bytes +=
          TECHNOLOGY_BYTES
              + CHARACTER_BYTES * (each.technology().length() + each.address().length());
    }
    return bytes;
  }

  /** One of the ways to the node. */
  public TechnologyId technology(int index) {
    return technologies[index];
  }

  /** The way to the node through the named technology, or null if there is none. */
  public @Nullable TechnologyId technology(String name) {
    for (TechnologyId id : technologies) {
      if (id.technology().equals(name)) {
        return id;
      }
    }
    return null;
  }

  @Override
  public boolean equals(Object other) {
    if (other == this) {
      return true;
    }
    if (!(other instanceof ObjectId)) {
      return false;
    }
    ObjectId that = (ObjectId) other;
    return number == that.number
        && node.equals(that.node)
        && (node != NodeId.UNKNOWN || Arrays.equals(technologies, that.technologies));
  }

  @Override
  public int hashCode() {
    int hash = 31 * node.hashCode() + Long.hashCode(number);
    return node == NodeId.UNKNOWN ? 31 * hash + Arrays.hashCode(technologies) : hash;
  }

  /** Such as {@code 42 of node 0f… [tcp 10.0.0.7:4711]}. */
  @Override
  public String toString() {
    return Long.toHexString(number) + " of node " + node + " " + Arrays.toString(technologies);
  }
}
