package io.karmi.trust;

import io.karmi.kit.Jvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;

/**
 * The class path of the tests with each directory packed into a jar, as a program is installed: a
 * JVM keeps jars open, and so needs no descriptor to load one more class.
 */
final class JarredClassPath {
  private JarredClassPath() {}

  /** Packs the directories into jars of a folder. */
  static String in(Path folder) throws IOException {
    List<String> jarred = new ArrayList<>();
    for (String each : Jvm.classPath().split(File.pathSeparator)) {
      Path place = Path.of(each);
      boolean packed = Files.isDirectory(place);
      jarred.add(packed ? jar(place, folder.resolve(jarred.size() + ".jar")).toString() : each);
    }
    return String.join(File.pathSeparator, jarred);
  }

  private static Path jar(Path directory, Path jar) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> all = Files.walk(directory)) {
      out.setLevel(Deflater.NO_COMPRESSION);
      for (Path each : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        String name = directory.relativize(each).toString().replace(File.separatorChar, '/');
        out.putNextEntry(new JarEntry(name));
        Files.copy(each, out);
        out.closeEntry();
      }
    }
    return jar;
  }
}
