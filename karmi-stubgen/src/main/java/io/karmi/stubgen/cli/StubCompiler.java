package io.karmi.stubgen.cli;

import io.karmi.stubgen.emit.Emitter;
import io.karmi.stubgen.emit.GeneratedClass;
import io.karmi.stubgen.model.ClassFiles;
import io.karmi.stubgen.model.RemoteModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes stub and skeleton of remote interfaces, or of classes that implement some, as class files.
 */
final class StubCompiler {
  private final ClassFiles classFiles;
  private final Path target;

  StubCompiler(ClassFiles classFiles, Path target) {
    this.classFiles = classFiles;
    this.target = target;
  }

  /**
   * Writes all that one class needs; directories are made as needed.
   *
   * @return the files written
   * @throws IllegalArgumentException if the class is not remote
   */
  List<Path> compile(String className) throws IOException {
    RemoteModel model = RemoteModel.of(classFiles.view(className));
    List<Path> written = new ArrayList<>();
    for (GeneratedClass part : Emitter.stub(model)) {
      written.add(write(part));
    }
    written.add(write(Emitter.skeleton(model)));
    return written;
  }

  private Path write(GeneratedClass part) throws IOException {
    Path file = target.resolve(part.name().replace('.', '/') + ".class");
    Files.createDirectories(file.getParent());
    return Files.write(file, part.bytes());
  }
}
