package io.karmi.retrofit.jar;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Everything under a directory, in the order of names, listed before anything is written.
 *
 * <p>Links are listed, and not followed: what is under the directory is visited once, and what is
 * outside is not read.
 */
final class Tree {
  private Tree() {}

  /** The root first, which may be a link itself. */
  static List<Path> of(Path root) throws IOException {
    Path real = root.toRealPath();
    List<Path> paths = new ArrayList<>();
    Files.walkFileTree(
        real,
        new SimpleFileVisitor<>() {
          private FileVisitResult add(Path path) {
            paths.add(root.resolve(real.relativize(path)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            return add(path);
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            return add(path);
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
            if (e instanceof NoSuchFileException && !path.equals(real)) {
              return FileVisitResult.CONTINUE; // another program has removed it meanwhile
            }
            throw e;
          }
        });
    Collections.sort(paths);
    return paths;
  }
}
