package io.karmi.contract.hostile;

import java.io.IOException;

/** A place at which a node listens, in whatever network. Thread-safe. */
public interface Door {
  /** Opens one more channel; nothing has been said over it. */
  Channel open() throws IOException;
}
