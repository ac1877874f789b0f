package io.karmi.exchange;

import io.karmi.events.Recorder;
import org.jspecify.annotations.Nullable;

/** A group that this JVM holds. Its objects are made once. */
final class OpenGroup {
  final GroupAddress address;

  /** How many hold it in this JVM; guarded by the table of groups. */
  int holds;

  /** Length of the body in bytes; 0 while it is not known. */
  volatile long lengthBytes;

  /** When the last one of those who were sent it has had time to hold it; 0 if none was. */
  long sentUntilNanos;

  /** Whether it refers to others, as far as is known. */
  volatile boolean refers;

  /* The objects; guarded by this. */
  boolean made;
  int hash;
  @Nullable Object root;

  OpenGroup(GroupAddress address) {
    this.address = address;
  }

  /** Takes the objects, which were made. */
  void make(@Nullable Object object, int checkSum) {
    root = object;
    hash = checkSum;
    made = true;
    record("read");
  }

  /** Tells the flight recorder. */
  void record(String action) {
    Recorder.instance().group(address.toString(), action, lengthBytes);
  }
}
