package io.karmi.flink;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A class in several versions, each in the jar of a job of its own. */
final class Versions {
  private Versions() {}

  /** Compiles a source of class {@code app.Account} and loads it. */
  static Class<?> load(Path directory, String source) throws IOException, ClassNotFoundException {
    Files.createDirectories(directory);
    compile(directory, "app/Account.java", source);
    URL[] urls = {directory.toUri().toURL()};
    return new URLClassLoader(urls, Versions.class.getClassLoader()).loadClass("app.Account");
  }

  /** Compiles a source, in place of a class file that may be in the directory. */
  static void compile(Path directory, String file, String source) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    JavaFileObject unit =
        new SimpleJavaFileObject(URI.create("string:///" + file), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-d", directory.toString(), "-proc:none");
      if (!compiler.getTask(null, files, null, options, null, List.of(unit)).call()) {
        throw new AssertionError("does not compile: " + source);
      }
    }
  }
}
