package io.karmi.retrofit.kit;

import io.karmi.retrofit.rewrite.ClassFiles;
import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Class files of a small program, and a class loader of their own to run them in. */
public final class Program {
  private final Map<String, byte[]> classFiles;

  private Program(Map<String, byte[]> classFiles) {
    this.classFiles = classFiles;
  }

  /** Compiles sources. */
  public static Program of(String... units) {
    try {
      Path directory = Files.createTempDirectory("program");
      Sources.compile(directory, List.of(), units);
      Map<String, byte[]> classFiles = new TreeMap<>();
      List<Path> all;
      try (Stream<Path> walk = Files.walk(directory)) {
        all = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path path : all) {
        if (Files.isRegularFile(path)) {
          String name = directory.relativize(path).toString().replace('\\', '/');
          classFiles.put(name.replaceAll("\\.class$", ""), Files.readAllBytes(path));
        }
        Files.delete(path);
      }
      return new Program(classFiles);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes class files by internal name. */
  public static Program of(Map<String, byte[]> classFiles) {
    return new Program(classFiles);
  }

  /** The same program, transformed. */
  public Program rewired(Transformer transformer) {
    Map<String, byte[]> rewired = new HashMap<>();
    classFiles.forEach(
        (name, bytes) -> {
          Outcome outcome = transformer.transform(bytes, files());
          if (outcome.note() != null) {
            throw new AssertionError(name + ": " + outcome.note());
          }
          rewired.put(name, outcome.isChanged() ? outcome.bytes() : bytes);
        });
    return new Program(rewired);
  }

  /** This program's class files, and the JDK's. */
  public ClassFiles files() {
    return name -> {
      byte[] own = classFiles.get(name);
      if (own != null) {
        return own;
      }
      try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
        return in == null ? null : in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** One class file. */
  public byte[] classFile(String name) {
    return classFiles.get(name);
  }

  /** Calls a static method without parameters. */
  public Object call(String className, String method) throws Exception {
    return load(className).getMethod(method).invoke(null);
  }

  /** Loads a class of the program in a new loader. */
  public Class<?> load(String className) throws ClassNotFoundException {
    return new Loader(classFiles).loadClass(className);
  }

  private static final class Loader extends ClassLoader {
    private final Map<String, byte[]> classFiles;

    Loader(Map<String, byte[]> classFiles) {
      super(Program.class.getClassLoader());
      this.classFiles = classFiles;
    }

    /**
     * Its own classes come first: the class path of the tests has libraries that programs imitate.
     */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (!classFiles.containsKey(name.replace('.', '/'))) {
          return super.loadClass(name, resolve);
        }
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      byte[] bytes = classFiles.get(name.replace('.', '/'));
      if (bytes == null) {
        throw new ClassNotFoundException(name);
      }
      return defineClass(name, bytes, 0, bytes.length);
    }
  }
}
