package io.karmi.uka.differential;

import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.IOException;
import java.io.OutputStream;

/** What {@code -Duka.format=jdk} makes of our output stream, for one world among others. */
public class JdkFormatObjectOutputStream extends UkaObjectOutputStream {
  public JdkFormatObjectOutputStream(OutputStream out) throws IOException {
    super(out, new UkaOptions(UkaOptions.Format.JDK));
  }

  protected JdkFormatObjectOutputStream() throws IOException {}
}
