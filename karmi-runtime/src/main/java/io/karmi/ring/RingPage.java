package io.karmi.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A piece of an {@link OutgoingRing}: bytes, and the notes of producers that have stored some. */
final class RingPage {
  private static final VarHandle NOTE = MethodHandles.arrayElementVarHandle(int[].class);

  final byte[] bytes;

  /** For each granule, the length of the bytes that begin there and are complete; else 0. */
  private final int[] notes;

  RingPage(int size) {
    bytes = new byte[size];
    notes = new int[size / OutgoingRing.GRANULE];
  }

  void setNote(int offset, int length) {
    NOTE.setVolatile(notes, offset / OutgoingRing.GRANULE, length);
  }

  int note(int offset) {
    return (int) NOTE.getVolatile(notes, offset / OutgoingRing.GRANULE);
  }

  /** Forgets the notes of an earlier use. */
  void clear() {
    java.util.Arrays.fill(notes, 0);
  }
}
