package io.karmi.retrofit.jar;

import io.karmi.retrofit.rewrite.ClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Class files of one jar, also of the folders of web applications and executable jars, or else of
 * the running JDK.
 *
 * <p>A class of which a multi-release jar has several versions is not found: which one is used
 * depends on the JVM that will run it.
 */
final class JarClassFiles implements ClassFiles {
  private static final List<String> ROOTS = List.of("", "BOOT-INF/classes/", "WEB-INF/classes/");

  private static final Pattern VERSION = Pattern.compile("META-INF/versions/\\d+/(.+\\.class)");

  private final ZipFile jar;

  /** Names at run time of entries that have a version of their own for some Java release. */
  private final Set<String> versioned = new HashSet<>();

  JarClassFiles(ZipFile jar, List<ZipEntry> entries) {
    this.jar = jar;
    for (ZipEntry entry : entries) {
      Matcher version = VERSION.matcher(entry.getName());
      if (version.matches()) {
        versioned.add(version.group(1));
      }
    }
  }

  @Override
  public byte @Nullable [] find(String internalName) {
    String resource = internalName + ".class";
    if (versioned.contains(resource)) {
      return null;
    }
    try {
      for (String root : ROOTS) {
        ZipEntry entry = jar.getEntry(root + resource);
        if (entry != null) {
          return EntryContents.bytes(jar, entry);
        }
      }
      return ofJdk(resource);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + resource + " in " + jar.getName(), e);
    }
  }

  static byte @Nullable [] ofJdk(String resource) throws IOException {
    try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(resource)) {
      return in == null ? null : in.readAllBytes();
    }
  }
}
