package io.karmi.stubgen.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** List of the classes of a jar or directory. */
final class Scan {
  private static final String CLASS = ".class";
  private static final List<String> ROOTS = List.of("BOOT-INF/classes/", "WEB-INF/classes/");

  private Scan() {}

  /** Binary names, in the order of names; classes for later versions of Java only are left out. */
  static List<String> classNames(Path path) throws IOException {
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(path)) {
      try (Stream<Path> walk = Files.walk(path)) {
        walk.forEach(file -> add(path.relativize(file).toString().replace('\\', '/'), names));
      }
    } else {
      try (ZipFile jar = new ZipFile(path.toFile())) {
        jar.stream().forEach(entry -> add(entry.getName(), names));
      } catch (ZipException e) {
        throw new IOException(path + " is no jar that can be read: " + e.getMessage(), e);
      }
    }
    names.sort(null);
    return names;
  }

  private static void add(String file, List<String> names) {
    if (!file.endsWith(CLASS)
        || file.startsWith("META-INF/")
        || file.endsWith("module-info.class")
        || file.endsWith("package-info.class")
        || ROOTS.stream().anyMatch(file::startsWith)) {
      return;
    }
    names.add(file.substring(0, file.length() - CLASS.length()).replace('/', '.'));
  }
}
