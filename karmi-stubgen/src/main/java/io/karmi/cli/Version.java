package io.karmi.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/** Version and commit of the jar with this class, and the JDK that runs it. */
public final class Version {
  private static final String UNKNOWN = "unknown";

  /** Beside this class in each jar that has it, if a clone of the sources was built. */
  private static final String COMMIT = "commit";

  private Version() {}

  /** One line. */
  public static String text() {
    return "KaRMI "
        + own()
        + ", JDK "
        + Runtime.version()
        + " ("
        + System.getProperty("java.home")
        + ")";
  }

  /** Version and commit of the jar with this class. */
  public static String own() {
    return of(manifest(), commit());
  }

  /** Version and commit of another jar of KaRMI's. */
  public static String of(JarFile jar) throws IOException {
    Manifest manifest = jar.getManifest();
    ZipEntry commit = jar.getEntry(Version.class.getPackageName().replace('.', '/') + '/' + COMMIT);
    return of(
        manifest == null ? new Attributes() : manifest.getMainAttributes(),
        textOf(commit == null ? null : jar.getInputStream(commit)));
  }

  private static String of(Attributes manifest, String commit) {
    String version = manifest.getValue("Implementation-Version");
    return (version == null || version.isEmpty() ? UNKNOWN : version) + ", commit " + commit;
  }

  /** 12 digits of the commit that was built, with a {@code +} if files differed from it. */
  public static String commit() {
    try {
      return textOf(Version.class.getResourceAsStream(COMMIT));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  private static String textOf(@Nullable InputStream commit) throws IOException {
    try (commit) {
      return commit == null
          ? UNKNOWN + " (built without git)"
          : new String(commit.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
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
