package io.karmi.contract.hostile;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A raw connection to a node: bytes in both directions. Belongs to one thread. */
public interface Channel extends Closeable {
  /**
   * What the node sends; a read ends with an {@link IOException} after the channel's time limit.
   */
  InputStream in() throws IOException;

  /** What the node gets; nothing is kept back. */
  OutputStream out() throws IOException;

  /** Says that no more is sent, and goes on reading, where the network can. */
  void endOutput() throws IOException;
}
