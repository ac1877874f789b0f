package io.karmi.retrofit.jar;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Everything under a directory, in the order of names, listed before anything is written.
 *
 * <p>Links to directories are followed, so that an output has all files of its input. A link to a
 * directory above it is not followed: that would never end.
 */
final class Tree {
  private final List<Path> paths = new ArrayList<>();
  private final Set<Path> loops = new HashSet<>();

  private Tree() {}

  static Tree of(Path root) throws IOException {
    Tree tree = new Tree();
    EnumSet<FileVisitOption> following = EnumSet.of(FileVisitOption.FOLLOW_LINKS);
    Files.walkFileTree(root, following, Integer.MAX_VALUE, tree.new Visitor());
    Collections.sort(tree.paths);
    return tree;
  }

  /** The root first. */
  List<Path> paths() {
    return paths;
  }

  /** Whether the path is a link to a directory above it. */
  boolean isLoop(Path path) {
    return loops.contains(path);
  }

  private final class Visitor extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      paths.add(directory);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      paths.add(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (!(failure instanceof FileSystemLoopException)) {
        throw failure;
      }
      paths.add(file);
      loops.add(file);
      return FileVisitResult.CONTINUE;
    }
  }
}
