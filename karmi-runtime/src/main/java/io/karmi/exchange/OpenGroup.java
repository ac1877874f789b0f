package io.karmi.exchange;

import io.karmi.events.Recorder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A group that this JVM holds. Its objects are made once. 40 bytes: there may be very many. */
final class OpenGroup {
  static final @Nullable Object[] NO_OBJECTS = {};

  /** Guards the publication of objects, during which nothing is waited for. */
  private static final Object PUBLISHING = new Object();

  final GroupAddress address;

  /** How many hold it in this JVM; guarded by the table of groups. */
  int holds;

  /** Length of the body in bytes; 0 while it is not known. */
  volatile long lengthBytes;

  /** Whether it refers to others, as far as is known. */
  volatile boolean refers;

  /** What was made of it; null as long as nothing was. */
  volatile @Nullable Made made;

  /** Check sum of the objects, in checking mode. */
  volatile int hash;

  /** Whether it is not held any more; guarded by {@link SharedObjects}. */
  boolean ended;

  /**
   * Objects of a group.
   *
   * @param objects by their numbers in the message, if they were wanted
   * @param groups other groups, whose objects are among them
   */
  record Made(@Nullable Object root, @Nullable Object[] objects, List<Object> groups) {}

  OpenGroup(GroupAddress address) {
    this.address = address;
  }

  /** Takes objects that were made, if they are the first; returns those. */
  Made make(Made objects, int checkSum) {
    synchronized (PUBLISHING) {
      Made before = made;
      if (before != null) {
        return before;
      }
      hash = checkSum;
      made = objects;
    }
    record("read");
    return objects;
  }

  /** Tells the flight recorder. */
  void record(String action) {
    Recorder.instance().group(address.toString(), action, lengthBytes);
  }
}
