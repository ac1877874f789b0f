package io.karmi.retrofit.jar;

import io.karmi.retrofit.rewrite.ClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** Class files of one jar, where archives keep them, and else of the JDK that runs. */
final class JarClassFiles implements ClassFiles {
  private static final List<String> ROOTS = List.of("", "BOOT-INF/classes/", "WEB-INF/classes/");

  private final ZipFile jar;

  JarClassFiles(ZipFile jar) {
    this.jar = jar;
  }

  @Override
  public byte @Nullable [] find(String internalName) {
    String resource = internalName + ".class";
    try {
      for (String root : ROOTS) {
        ZipEntry entry = jar.getEntry(root + resource);
        if (entry != null) {
          try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
          }
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
