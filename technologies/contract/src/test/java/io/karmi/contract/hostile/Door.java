package io.karmi.contract.hostile;

import java.io.IOException;

/** A place at which a node listens, in whatever network. Thread-safe. */
public interface Door {
  /** Opens one more channel; nothing has been said over it. */
  Channel open() throws IOException;

  /**
   * Opens one more channel below what secures the others, if anything does: for those who do not
   * speak as they should from the first byte on.
   */
  default Channel openBelow() throws IOException {
    return open();
  }
}
