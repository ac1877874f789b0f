package io.karmi.uka;

import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;

/**
 * A stream in the JDK's format, from its header on, out of a buffer that bounds what it takes. Not
 * thread-safe.
 */
public class JdkFormatInputStream extends UkaObjectInputStream {
  /** Reads the header from {@code buffer}. */
  public JdkFormatInputStream(InputBuffer buffer) throws IOException {
    super(buffer, JdkFormatInputStream.class);
  }
}
