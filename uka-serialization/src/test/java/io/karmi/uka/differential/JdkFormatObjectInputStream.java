package io.karmi.uka.differential;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaOptions;
import java.io.IOException;
import java.io.InputStream;

/**
 * What {@code -Duka.format=jdk} makes of our input stream, which needs it only where a program
 * leaves out the header.
 */
public class JdkFormatObjectInputStream extends UkaObjectInputStream {
  public JdkFormatObjectInputStream(InputStream in) throws IOException {
    super(in, new UkaOptions(UkaOptions.Format.JDK));
  }

  protected JdkFormatObjectInputStream() throws IOException {}
}
