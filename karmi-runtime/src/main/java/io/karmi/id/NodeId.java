package io.karmi.id;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.security.SecureRandom;

/**
 * The name of one incarnation of a runtime: 128 random bits, new at each start.
 *
 * <p>A reference to an object of a process that has ended can therefore never hit an object of its
 * successor on the same port. Immutable.
 *
 * <p>An attacker can make up ids that all have one hash code; they are comparable, so that the
 * tables of the JDK that are keyed by them stay fast even then.
 */
public final class NodeId implements Comparable<NodeId> {
  /**
   * Any node that answers at the address: the node of a reference made from a host and a port only.
   */
  public static final NodeId UNKNOWN = new NodeId(0, 0);

  private final long high;
  private final long low;

  private NodeId(long high, long low) {
    this.high = high;
    this.low = low;
  }

  /** Makes a name that no other runtime has. */
  public static NodeId random() {
    SecureRandom random = new SecureRandom();
    return new NodeId(random.nextLong() | 1, random.nextLong());
  }

  /** The name with these bits; {@link #UNKNOWN} for zeros. */
  public static NodeId of(long high, long low) {
    return (high | low) == 0 ? UNKNOWN : new NodeId(high, low);
  }

  /** Reads what {@link #write} wrote: 16 bytes. */
  public static NodeId read(DataInput in) throws IOException {
    long high = in.readLong();
    return of(high, in.readLong());
  }

  /** Writes 16 bytes. */
  public void write(DataOutput out) throws IOException {
    out.writeLong(high);
    out.writeLong(low);
  }

  /** The upper 64 bits. */
  public long high() {
    return high;
  }

  /** The lower 64 bits. */
  public long low() {
    return low;
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || other instanceof NodeId && ((NodeId) other).high == high && ((NodeId) other).low == low;
  }

  @Override
  public int compareTo(NodeId other) {
    int upper = Long.compare(high, other.high);
    return upper != 0 ? upper : Long.compare(low, other.low);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(high ^ low);
  }

  /** 32 hexadecimal digits. */
  @Override
  public String toString() {
    return this == UNKNOWN ? "unknown" : hex(high) + hex(low);
  }

  private static String hex(long half) {
    String digits = Long.toHexString(half);
    return "0".repeat(2 * Long.BYTES - digits.length()) + digits;
  }
}
