package io.karmi.retrofit.jar;

import io.karmi.retrofit.rewrite.ClassFiles;
import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites jars and directories into new ones.
 *
 * <p>In a directory, class files and jars at any depth are rewritten and everything else is copied.
 */
public final class DiskRewriter {
  /** The name under which a rewritten program looks for KaRMI beside itself. */
  public static final String KARMI_JAR = "karmi.jar";

  private final Transformer transformer;
  private final Report report;
  private final JarRewriter jars;
  private boolean needsKarmiBeside;

  /** A rewriter that tells the report what it does. */
  public DiskRewriter(Transformer transformer, Report report) {
    this.transformer = transformer;
    this.report = report;
    this.jars = new JarRewriter(transformer, report);
  }

  /**
   * Whether something written so far is a program for {@code java -jar} that looks for KaRMI beside
   * itself.
   */
  public boolean needsKarmiBeside() {
    return needsKarmiBeside;
  }

  /** Finds out what would change, and writes nothing. */
  public void dryRun(List<Path> inputs) throws IOException {
    for (Path input : inputs) {
      if (Files.isDirectory(input)) {
        rewriteDirectory(input, null);
      } else {
        jars.rewrite(input, input.toString(), null);
      }
    }
  }

  /**
   * Rewrites inputs.
   *
   * @param output the new name of a single input, or a directory that several are put into under
   *     their own names
   */
  public void rewrite(List<Path> inputs, Path output) throws IOException {
    boolean into =
        inputs.size() > 1 || Files.isDirectory(output) && !Files.isDirectory(inputs.get(0));
    for (Path input : inputs) {
      rewriteTo(input, into ? output.resolve(fileName(input)) : output);
    }
  }

  private void rewriteTo(Path input, Path target) throws IOException {
    if (!Files.exists(input)) {
      throw new IOException(input + " is not there");
    }
    Path place = target.toAbsolutePath().normalize();
    if (Files.exists(place) && Files.isSameFile(input, place)) {
      throw new IOException("the output " + target + " is the input; give another name");
    }
    if (Files.isDirectory(input) && place.startsWith(input.toAbsolutePath().normalize())) {
      throw new IOException("the output " + target + " lies inside the input " + input);
    }
    Files.createDirectories(parent(place));
    Path unfinished = parent(place).resolve("." + fileName(place) + ".unfinished");
    delete(unfinished);
    try {
      if (Files.isDirectory(input)) {
        if (Files.exists(place)) {
          throw new IOException("the output " + target + " is there already; give a new name");
        }
        rewriteDirectory(input, unfinished);
      } else {
        needsKarmiBeside |= jars.rewrite(input, input.toString(), unfinished);
      }
      Files.move(
          unfinished, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      delete(unfinished);
    }
  }

  private void rewriteDirectory(Path source, @Nullable Path target) throws IOException {
    ClassFiles files = new DirectoryClassFiles(source);
    int before = report.changed();
    List<Path> moduleInfos = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(source)) {
      for (Path path : (Iterable<Path>) walk.sorted()::iterator) {
        Path copy = copyOf(path, source, target);
        if (fileName(path).equals(JarRewriter.MODULE_INFO)) {
          moduleInfos.add(path);
        } else if (!Files.isDirectory(path)) {
          rewriteFile(path, copy, files);
        } else if (copy != null) {
          Files.createDirectories(copy);
        }
      }
    }
    for (Path path : moduleInfos) {
      byte[] bytes = Files.readAllBytes(path);
      Outcome outcome =
          report.changed() == before ? Outcome.unchanged() : transformer.requireKarmi(bytes);
      put(path, outcome, copyOf(path, source, target));
    }
  }

  private static @Nullable Path copyOf(Path path, Path source, @Nullable Path target) {
    return target == null ? null : target.resolve(source.relativize(path).toString());
  }

  private void rewriteFile(Path path, @Nullable Path copy, ClassFiles files) throws IOException {
    String name = fileName(path);
    if (JarRewriter.isJar(name)) {
      needsKarmiBeside |= jars.rewrite(path, path.toString(), copy);
    } else if (name.endsWith(".class")) {
      put(path, transformer.transform(Files.readAllBytes(path), files), copy);
    } else if (copy != null) {
      Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private void put(Path path, Outcome outcome, @Nullable Path copy) throws IOException {
    report.add(path.toString(), outcome);
    if (copy != null && outcome.isChanged()) {
      Files.write(copy, outcome.bytes());
    } else if (copy != null) {
      Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private static Path parent(Path absolute) throws IOException {
    Path parent = absolute.getParent();
    if (parent == null) {
      throw new IOException("the output cannot be " + absolute);
    }
    return parent;
  }

  private static String fileName(Path path) throws IOException {
    Path name = path.toAbsolutePath().normalize().getFileName();
    if (name == null) {
      throw new IOException(path + " has no name of its own");
    }
    return name.toString();
  }

  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (Stream<Path> walk = Files.walk(tree)) {
      for (Path path : (Iterable<Path>) walk.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }

  /**
   * How many class files the inputs hold, jars inside jars not counted: the length of a progress
   * bar.
   */
  public static int countClasses(List<Path> inputs) throws IOException {
    int count = 0;
    for (Path input : inputs) {
      if (Files.exists(input)) {
        try (Stream<Path> walk = Files.walk(input)) {
          for (Path path : (Iterable<Path>) walk::iterator) {
            count += fileName(path).endsWith(".class") ? 1 : JarRewriter.countClasses(path);
          }
        }
      }
    }
    return count;
  }
}
