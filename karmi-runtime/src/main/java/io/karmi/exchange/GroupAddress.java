package io.karmi.exchange;

import java.io.Serializable;
import java.util.Comparator;

/**
 * Name of a group within its space. It never names another group, also not after the directory has
 * been started again. Ordered, so that tables of names which others have chosen are searched
 * quickly, also where all have the same hash.
 *
 * @param member number of the member that has put the group
 * @param sequence of the group among those of that member
 * @param generation of the directory that has given the member its number
 */
public record GroupAddress(int member, long sequence, int generation)
    implements Serializable, Comparable<GroupAddress> {
  private static final Comparator<GroupAddress> ORDER =
      Comparator.comparingInt(GroupAddress::generation)
          .thenComparingInt(GroupAddress::member)
          .thenComparingLong(GroupAddress::sequence);

  @Override
  public int compareTo(GroupAddress other) {
    return ORDER.compare(this, other);
  }

  /** Hexadecimal, as files are named: {@code member-sequence-generation}. */
  @Override
  public String toString() {
    return Integer.toHexString(member)
        + '-'
        + Long.toHexString(sequence)
        + '-'
        + Integer.toHexString(generation);
  }

  /**
   * The address that a text shows.
   *
   * @throws IllegalArgumentException if it shows none
   */
  public static GroupAddress parse(String text) {
    String[] parts = text.split("-", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("no address of a group: " + text);
    }
    GroupAddress address =
        new GroupAddress(
            Integer.parseUnsignedInt(parts[0], 16),
            Long.parseUnsignedLong(parts[1], 16),
            Integer.parseUnsignedInt(parts[2], 16));
    if (!address.toString().equals(text)) {
      throw new IllegalArgumentException("no address of a group: " + text);
    }
    return address;
  }
}
