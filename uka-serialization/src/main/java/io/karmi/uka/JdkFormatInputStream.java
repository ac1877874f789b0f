package io.karmi.uka;

import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.InvalidObjectException;

/**
 * A stream in the JDK's format, from its header on, out of a buffer that bounds what it takes. Not
 * thread-safe.
 */
public class JdkFormatInputStream extends UkaObjectInputStream {
  /** Reads the header from {@code buffer}. */
  public JdkFormatInputStream(InputBuffer buffer) throws IOException {
    super(buffer, JdkFormatInputStream.class);
  }

  /**
   * Refuses an object that was read, if a method that visits its parts, one that is in several
   * places as often, would take more time than the length of the message explains. For an object
   * that the JDK then evaluates, such as a query.
   */
  protected final void checkVisits(Object object) throws InvalidObjectException {
    reader().checkVisits(object);
  }
}
