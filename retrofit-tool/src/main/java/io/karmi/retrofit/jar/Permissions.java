package io.karmi.retrofit.jar;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Permissions of outputs: the owner's alone until an output is complete, then those of the input.
 * Without POSIX permissions those of the directory apply.
 */
final class Permissions {
  private static final String OWNER_ALONE = "rwx------";

  private Permissions() {}

  /** Makes an empty file that only its owner can read. */
  static void createFile(Path file) throws IOException {
    Files.createFile(file, ownerAlone(file));
  }

  /** Makes a directory that only its owner can enter, unless it is there. */
  static void createDirectory(Path directory) throws IOException {
    try {
      Files.createDirectory(directory, ownerAlone(directory));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  private static FileAttribute<?>[] ownerAlone(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null || view(parent) == null
        ? new FileAttribute<?>[0]
        : new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ALONE))
        };
  }

  /** Gives a finished output the permissions of its input. */
  static void copy(Path input, Path output) throws IOException {
    PosixFileAttributeView from = view(input);
    PosixFileAttributeView to = view(output);
    if (from != null && to != null) {
      Set<PosixFilePermission> permissions = from.readAttributes().permissions();
      to.setPermissions(permissions);
    }
  }

  private static @Nullable PosixFileAttributeView view(Path path) {
    return Files.getFileAttributeView(path, PosixFileAttributeView.class);
  }
}
