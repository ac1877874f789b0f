package io.karmi.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/** Version and commit of the jar with this class, and the JDK that runs it. */
public final class Version {
  private static final String UNKNOWN = "unknown";

  private Version() {}

  /** One line. */
  public static String text() {
    Attributes known = manifest();
    return "KaRMI "
        + valueOf(known, "Implementation-Version")
        + ", commit "
        + valueOf(known, "Implementation-Commit")
        + ", JDK "
        + Runtime.version()
        + " ("
        + System.getProperty("java.home")
        + ")";
  }

  private static String valueOf(Attributes known, String name) {
    String value = known.getValue(name);
    return value == null || value.isEmpty() ? UNKNOWN : value;
  }

  /** That of the jar; none where the class lies in a folder. */
  private static Attributes manifest() {
    URL own = Version.class.getResource("Version.class");
    if (own != null && own.getProtocol().equals("jar")) {
      String jar = own.toString();
      try (InputStream in =
          new URL(jar.substring(0, jar.indexOf('!') + 1) + "/META-INF/MANIFEST.MF").openStream()) {
        return new Manifest(in).getMainAttributes();
      } catch (IOException e) {
        return new Attributes();
      }
    }
    return new Attributes();
  }
}
