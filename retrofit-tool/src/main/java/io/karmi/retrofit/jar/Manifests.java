package io.karmi.retrofit.jar;

import io.karmi.cli.OneLine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Manifests of jars that others have made. The JDK warns about each attribute that is there twice,
 * in five lines; here it does not, as a jar of some kilobytes may have a million of them.
 */
public final class Manifests {
  static {
    if (ModuleLayer.boot().findModule("java.logging").isPresent()) {
      Quiet.LOGGER.setLevel(Level.OFF);
    }
  }

  private Manifests() {}

  /** Only where the JDK has its loggers. */
  private static final class Quiet {
    /** Kept, as the JDK forgets loggers that are not in use, with their levels. */
    static final Logger LOGGER = Logger.getLogger("java.util.jar");
  }

  /** The manifest of a jar; null if it has none. */
  public static @Nullable Manifest of(ZipFile jar) throws IOException {
    ZipEntry entry = jar.getEntry(JarFile.MANIFEST_NAME);
    return entry == null ? null : parse(EntryContents.bytes(jar, entry));
  }

  /** The files that a manifest names on the class path of its jar, which may not be there. */
  public static List<Path> classPath(Manifest manifest, Path jar) {
    String named = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
    List<Path> paths = new ArrayList<>();
    for (String each : named == null ? new String[0] : named.strip().split("\\s+")) {
      try {
        paths.add(Path.of(jar.toUri().resolve(URI.create(each))));
      } catch (IllegalArgumentException | FileSystemNotFoundException e) {
        continue; // a URL that leads to no file
      }
    }
    return paths;
  }

  static Manifest parse(byte[] manifest) throws IOException {
    try {
      return new Manifest(new ByteArrayInputStream(manifest));
    } catch (IOException e) {
      throw new ZipException(JarFile.MANIFEST_NAME + ": " + OneLine.of(e));
    }
  }

  /** The bytes of a manifest. The JDK writes no attributes of one that has no version. */
  static byte[] format(Manifest manifest) throws IOException {
    Attributes main = manifest.getMainAttributes();
    if (!main.containsKey(Attributes.Name.SIGNATURE_VERSION)) {
      main.putIfAbsent(Attributes.Name.MANIFEST_VERSION, "1.0");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    manifest.write(out);
    return out.toByteArray();
  }
}
