package io.karmi.retrofit.jar;

import io.karmi.retrofit.rewrite.ClassFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Class files under one directory, or else of the running JDK. */
final class DirectoryClassFiles implements ClassFiles {
  private final Path directory;

  DirectoryClassFiles(Path directory) {
    this.directory = directory;
  }

  @Override
  public byte @Nullable [] find(String internalName) {
    String resource = internalName + ".class";
    Path file = directory.resolve(resource);
    try {
      return Files.isRegularFile(file) ? Files.readAllBytes(file) : JarClassFiles.ofJdk(resource);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}
