package io.karmi.ring;

import java.io.IOException;

/** A control word of a shared ring has a value that a correct peer cannot have written. */
public final class RingCorruptedException extends IOException {
  private static final long serialVersionUID = 1L;

  RingCorruptedException(String word, long claimed, long least, long greatest) {
    super(
        "the peer's "
            + word
            + " position is "
            + claimed
            + ", and can only be from "
            + least
            + " to "
            + greatest
            + ": the shared memory was damaged, the connection is of no more use");
  }
}
