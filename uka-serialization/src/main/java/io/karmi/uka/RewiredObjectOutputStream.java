package io.karmi.uka;

import io.karmi.uka.format.StreamTally;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/**
 * What a rewired class creates and extends in place of {@link ObjectOutputStream}. Programs do not
 * name it.
 *
 * <p>It writes the JDK's format, byte for byte, unless the system property {@code uka.format} names
 * another: nothing tells whether every reader has KaRMI, and what a program stores must be readable
 * when KaRMI has been taken out again.
 */
public class RewiredObjectOutputStream extends UkaObjectOutputStream {
  /** As {@link ObjectOutputStream#ObjectOutputStream(OutputStream)}. */
  public RewiredObjectOutputStream(OutputStream out) throws IOException {
    super(out, FirstUse.options(UkaOptions.Format.JDK), RewiredObjectOutputStream.class);
    StreamTally.written(isJdkFormat());
  }

  /** As {@link ObjectOutputStream#ObjectOutputStream()}. */
  protected RewiredObjectOutputStream() throws IOException {
    super();
  }
}
