package io.karmi.uka;

import io.karmi.uka.format.StreamTally;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;

/**
 * What a rewired class creates and extends in place of {@link ObjectInputStream}. Programs do not
 * name it.
 *
 * <p>It reads both formats, by the header. Where a program writes and reads none, it is the
 * counterpart of {@link RewiredObjectOutputStream}.
 */
public class RewiredObjectInputStream extends UkaObjectInputStream {
  /** As {@link ObjectInputStream#ObjectInputStream(InputStream)}. */
  public RewiredObjectInputStream(InputStream in) throws IOException {
    super(in, null, UkaOptions.Format.JDK, RewiredObjectInputStream.class);
    StreamTally.read(isJdkFormat());
  }

  /** As {@link ObjectInputStream#ObjectInputStream()}. */
  protected RewiredObjectInputStream() throws IOException {
    super();
  }
}
