package io.karmi.ucx;

import java.io.Closeable;
import java.io.IOException;

/** Common parts of this package. */
final class Ucx {
  /** The first half of the technology's UTIDs. */
  static final String NAME = "ucx";

  static final System.Logger LOG = System.getLogger("io.karmi.ucx");

  private Ucx() {}

  static void closeQuietly(Closeable closed) {
    try {
      closed.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "closing a channel failed", e);
    }
  }
}
