package io.karmi.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/** Version and commit of the jar with this class, and the JDK that runs it. */
public final class Version {
  private static final String UNKNOWN = "unknown";

  /** Beside this class in each jar that has it, if a clone of the sources was built. */
  private static final String COMMIT = "commit";

  private Version() {}

  /** One line. */
  public static String text() {
    return "KaRMI "
        + version()
        + ", commit "
        + commit()
        + ", JDK "
        + Runtime.version()
        + " ("
        + System.getProperty("java.home")
        + ")";
  }

  /** 12 digits of the commit that was built, with a {@code +} if files differed from it. */
  public static String commit() {
    try (InputStream in = Version.class.getResourceAsStream(COMMIT)) {
      return in == null
          ? UNKNOWN + " (built without git)"
          : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String version() {
    String value = manifest().getValue("Implementation-Version");
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
