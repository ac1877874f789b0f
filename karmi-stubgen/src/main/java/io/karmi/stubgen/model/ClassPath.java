package io.karmi.stubgen.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Class files on a class path, and behind it those of the JDK that runs this program.
 *
 * <p>Nothing is loaded or initialised: a class loader serves as a reader of jars and directories
 * only.
 */
public final class ClassPath implements AutoCloseable {
  /** Bytes of the largest file that is read: an entry of a jar may be of any size. */
  private static final int MAXIMUM_BYTES = 64 << 20;

  private final URLClassLoader path;
  private final Map<String, ClassView> views = new HashMap<>();

  /**
   * @param classPath jars and directories; one that does not exist is skipped, as {@code java} does
   */
  public ClassPath(List<Path> classPath) {
    List<URL> urls = new ArrayList<>();
    for (Path entry : classPath) {
      try {
        urls.add(entry.toUri().toURL());
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException("not a class path entry: " + entry, e);
      }
    }
    path = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  /** The view of a class by its binary name; whether there is one shows when it is looked at. */
  public ClassView view(String name) {
    return views.computeIfAbsent(name, absent -> new ClassFileView(absent, this));
  }

  /** Whether there is a class file of this name. */
  public boolean isThere(String name) {
    return path.getResource(name.replace('.', '/') + ".class") != null;
  }

  /** Where a class was found, or would be, for messages. */
  String place(String name) {
    String file = name.replace('.', '/') + ".class";
    URL found = path.findResource(file);
    if (found == null) {
      return file;
    }
    String place = URLDecoder.decode(found.toString(), StandardCharsets.UTF_8);
    return place.replaceFirst("^(jar:)?file:", "");
  }

  /**
   * The class file.
   *
   * @throws ClassFileException when there is none, or it cannot be read
   */
  byte[] read(String name) {
    try (InputStream in = path.getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassFileException("class not found: " + name);
      }
      byte[] bytes = in.readNBytes(MAXIMUM_BYTES + 1);
      if (bytes.length > MAXIMUM_BYTES) {
        throw new ClassFileException("cannot read class " + name + ": no class file is that large");
      }
      return bytes;
    } catch (IOException e) {
      throw new ClassFileException("cannot read class " + name + ": " + e.getMessage());
    }
  }

  @Override
  public void close() {
    try {
      path.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
