package io.karmi.uka.differential;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Versions of classes: each call of {@link #loader} makes a class loader with its own version of
 * what the sources say.
 */
public final class Versions {

  private static final Pattern TYPE = Pattern.compile("(?:class|interface|enum|record)\\s+(\\w+)");
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Opened once, since opening it costs more than a compilation. */
  private static final JavaFileManager CLASS_PATH =
      COMPILER.getStandardFileManager(null, null, null);

  private static final Map<List<String>, Map<String, byte[]>> COMPILED = new ConcurrentHashMap<>();

  /** A system property: the folder of a store that all JVMs of a build share. */
  public static final String STORE = "karmi.test.versions";

  private static final ClassFileStore SHARED = new ClassFileStore(store());

  private Versions() {}

  /** The store of this JVM. */
  public static Path store() {
    String own = "target/versions-" + ProcessHandle.current().pid();
    return Path.of(System.getProperty(STORE, own));
  }

  /**
   * Compiles the sources and returns a loader of the resulting classes.
   *
   * @param parent sees everything but these classes
   * @param sources each a compilation unit without package, named after the first type in it
   */
  public static ClassLoader loader(ClassLoader parent, String... sources) {
    return new RewiringLoader(Observed.world(), parent, "", classFiles(sources));
  }

  /** As {@link #loader}, without the named classes: they are absent at this end. */
  public static ClassLoader loaderWithout(
      ClassLoader parent, List<String> absent, String... sources) {
    Map<String, byte[]> present = new HashMap<>(classFiles(sources));
    present.keySet().removeAll(absent);
    return new RewiringLoader(Observed.world(), parent, "", present);
  }

  /** The class files of the sources, by class name. */
  public static Map<String, byte[]> classFiles(String... sources) {
    return COMPILED.computeIfAbsent(List.of(sources), Versions::foundOrCompiled);
  }

  private static Map<String, byte[]> foundOrCompiled(List<String> sources) {
    try {
      Optional<Map<String, byte[]>> found = SHARED.find(sources);
      if (found.isPresent()) {
        return found.get();
      }
      Map<String, byte[]> compiled = compile(sources);
      SHARED.add(sources, compiled);
      return compiled;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static synchronized Map<String, byte[]> compile(List<String> sources) {
    StringBuilder complaints = new StringBuilder();
    InMemory files = new InMemory(CLASS_PATH);
    List<SimpleJavaFileObject> units = sources.stream().map(Versions::unit).toList();
    List<String> options = List.of("-nowarn", "-proc:none");
    boolean good =
        COMPILER
            .getTask(null, files, d -> complaints.append(d).append('\n'), options, null, units)
            .call();
    if (!good) {
      throw new IllegalArgumentException(complaints.toString());
    }
    return files.classFiles();
  }

  private static SimpleJavaFileObject unit(String source) {
    Matcher type = TYPE.matcher(source);
    if (!type.find()) {
      throw new IllegalArgumentException("no type in: " + source);
    }
    URI uri = URI.create("string:///" + type.group(1) + ".java");
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }

  private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {

    private final Map<String, ByteArrayOutputStream> written = new LinkedHashMap<>();

    InMemory(JavaFileManager files) {
      super(files);
    }

    Map<String, byte[]> classFiles() {
      Map<String, byte[]> files = new LinkedHashMap<>();
      written.forEach((name, bytes) -> files.put(name, bytes.toByteArray()));
      return files;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      URI uri = URI.create("bytes:///" + name.replace('.', '/') + ".class");
      return new SimpleJavaFileObject(uri, kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          written.put(name, bytes);
          return bytes;
        }
      };
    }
  }
}
