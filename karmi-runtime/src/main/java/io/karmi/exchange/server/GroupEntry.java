package io.karmi.exchange.server;

import io.karmi.exchange.directory.Report;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A group as the table knows it. Arrays, as most have one holder: a group takes less than 300
 * bytes. Guarded by the table.
 */
final class GroupEntry {
  /** In place of a member's number: the group was stored, and no one stores it again. */
  static final int DROPPED = -1;

  private static final int[] NONE = {};

  final TableMember payer;

  /** Numbers of the members that hold it, and of the hosts that have its file, in order. */
  int[] users = NONE;

  int[] hosts = NONE;

  /** Null for nothing. */
  @Nullable References refersTo;

  int referredTo;
  int keys;

  /** Names of those keys; null before the first one. */
  @Nullable Noted<String> names;

  /** Reads that are left; less than 0 where reads were reported before their number. */
  int reads;

  /** Number of the member that has said how many there are to be, or that it is; 0 for none. */
  int countedBy;

  GroupEntry(TableMember payer) {
    this.payer = payer;
  }

  /** No read is left; who says so again may count them anew. */
  void forgetReads() {
    reads = 0;
    countedBy = isDropped() ? DROPPED : 0;
  }

  boolean isDropped() {
    return countedBy == DROPPED;
  }

  /** Whether nothing keeps it. */
  boolean isFree() {
    return referredTo == 0 && !isHeld();
  }

  /** Whether nothing keeps it but groups that refer to it. */
  boolean isKeptByReferencesAlone() {
    return referredTo != 0 && !isHeld();
  }

  private boolean isHeld() {
    return users.length != 0 || keys != 0 || reads != 0;
  }

  /** Whether numbers, which are in order, have some number among them. */
  static boolean contains(int[] numbers, int one) {
    return Arrays.binarySearch(numbers, one) >= 0;
  }

  /** The same numbers, and one more unless it is there. */
  static int[] with(int[] numbers, int more) {
    int place = -1 - Arrays.binarySearch(numbers, more);
    if (place < 0) {
      return numbers;
    }
    int[] larger = Arrays.copyOf(numbers, numbers.length + 1);
    System.arraycopy(numbers, place, larger, place + 1, numbers.length - place);
    larger[place] = more;
    return larger;
  }

  /** The same numbers without one. */
  static int[] without(int[] numbers, int less) {
    int place = Arrays.binarySearch(numbers, less);
    if (place < 0) {
      return numbers;
    }
    int[] smaller = Arrays.copyOf(numbers, numbers.length - 1);
    System.arraycopy(numbers, place + 1, smaller, place, smaller.length - place);
    return smaller;
  }

  /** For a line of a list. */
  @Override
  public String toString() {
    String left = reads == Report.STORED ? "  stored" : "  reads left " + reads;
    return "  holders " + users.length + "  hosts " + hosts.length + (reads <= 0 ? "" : left);
  }
}
