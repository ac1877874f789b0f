package io.karmi.stub;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Classes that a test compiles, so that loaders of its own can define them. */
final class Compiled {
  final Map<String, byte[]> classes = new HashMap<>();

  /**
   * Compiles units of the form {@code "package app; public interface X …"}; each names one
   * top-level type.
   */
  static Compiled of(String... units) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Compiled compiled = new Compiled();
    StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);
    List<JavaFileObject> sources = new ArrayList<>();
    for (String unit : units) {
      sources.add(new Source(unit));
    }
    boolean good =
        compiler
            .getTask(null, compiled.new Files(standard), null, List.of("-proc:none"), null, sources)
            .call();
    if (!good) {
      throw new IllegalArgumentException("does not compile: " + String.join("\n", units));
    }
    return compiled;
  }

  /**
   * A loader that defines those of the named classes itself, and asks its parent for all others.
   */
  ClassLoader loader(ClassLoader parent, String... names) {
    Map<String, byte[]> own = new HashMap<>();
    for (String name : names) {
      own.put(name, classes.get(name));
    }
    return new ClassLoader(parent) {
      @Override
      protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = own.get(name);
        if (bytes == null) {
          throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
      }
    };
  }

  /** A loader that defines all of them. */
  ClassLoader loader(ClassLoader parent) {
    return loader(parent, classes.keySet().toArray(new String[0]));
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///" + path(text)), Kind.SOURCE);
      this.text = text;
    }

    private static String path(String text) {
      String name = text.replaceAll("(?s).*?\\b(?:interface|class|module)\\s+(\\w+).*", "$1");
      String file = text.startsWith("module ") ? "module-info" : name;
      String inPackage = text.replaceAll("(?s)^package\\s+([\\w.]+);.*", "$1");
      return (inPackage.equals(text) ? "" : inPackage.replace('.', '/') + "/") + file + ".java";
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private final class Files extends ForwardingJavaFileManager<JavaFileManager> {
    Files(JavaFileManager standard) {
      super(standard);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("bytes:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          return new ByteArrayOutputStream() {
            @Override
            public void close() {
              classes.put(className, toByteArray());
            }
          };
        }
      };
    }
  }
}
