package io.karmi.retrofit.jar;

import io.karmi.retrofit.rewrite.ClassFiles;
import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rewriter of jars and directories into new ones.
 *
 * <p>In a directory, class files and jars at any depth are rewritten and everything else is copied.
 */
public final class DiskRewriter {
  /** The name under which a rewritten program looks for KaRMI beside itself. */
  public static final String KARMI_JAR = "karmi.jar";

  private final Transformer transformer;
  private final Report report;
  private final JarRewriter jars;

  private final Programs programs = new Programs();

  /** Of all jars that lie on disk, by their names in the end. */
  private final Ties<Path> ties = new Ties<>();

  /** Where those jars are before: read from, and written to, for now. */
  private final Map<Path, Written> written = new HashMap<>();

  private record Written(Path source, @Nullable Path target) {}

  /** Directories, the innermost first. */
  private final Deque<Directory> directories = new ArrayDeque<>();

  private record Directory(Path source, Path target) {}

  /** A rewriter that records in the report what it does. */
  public DiskRewriter(Transformer transformer, Report report) {
    this.transformer = transformer;
    this.report = report;
    this.jars = new JarRewriter(transformer, report);
  }

  /**
   * Programs for {@code java -jar} among what was written so far, which look for KaRMI beside
   * themselves: one of each folder.
   */
  public Collection<Path> programs() {
    return programs.all();
  }

  /** Reports what would change, and writes nothing. */
  public void dryRun(List<Path> inputs) throws IOException {
    for (Path input : inputs) {
      rewriteTo(input, null, input);
    }
    loosen();
  }

  /**
   * Rewrites inputs, all or none.
   *
   * @param output the new name of a single input, or a directory that several are put into under
   *     their own names
   */
  public void rewrite(List<Path> inputs, Path output) throws IOException {
    boolean into =
        inputs.size() > 1 || Files.isDirectory(output) && !Files.isDirectory(inputs.get(0));
    try (Outputs outputs = new Outputs()) {
      for (Path input : inputs) {
        Path name = into ? output.resolve(fileName(input)) : output;
        rewriteTo(input, outputs.reserve(place(input, name)), name);
      }
      programs.connect(jars).forEach(ties::changed);
      loosen();
      copyPermissions();
      outputs.place();
    }
  }

  private static Path place(Path input, Path target) throws IOException {
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
    if (Files.isDirectory(place) || Files.isDirectory(input) && Files.exists(place)) {
      throw new IOException("the output " + target + " is there already; give a new name");
    }
    return place;
  }

  /**
   * @param target where to write, for now
   * @param name that it has in the end
   */
  private void rewriteTo(Path input, @Nullable Path target, Path name) throws IOException {
    if (Files.isDirectory(input)) {
      rewriteDirectory(input, target, name);
    } else {
      rewriteJar(input, target, name);
    }
  }

  private void rewriteJar(Path source, @Nullable Path target, Path name) throws IOException {
    JarRewriter.Rewritten rewritten = jars.rewrite(source, source.toString(), target);
    if (rewritten.executable()) {
      programs.add(name);
    }
    if (rewritten.changed()) {
      programs.changed(name);
    } else if (target != null) {
      programs.unchanged(source, target, name);
    }
    ties.add(name, rewritten.ends(), rewritten.changed());
    written.put(name, new Written(source, target));
  }

  /** Takes from jars what no longer fits the changed ones. */
  private void loosen() throws IOException {
    for (Map.Entry<Path, Ties.Loss> each : ties.losses().entrySet()) {
      Written jar = Objects.requireNonNull(written.get(each.getKey()));
      jars.loosen(jar.source.toString(), jar.target, each.getValue());
    }
  }

  private void rewriteDirectory(Path source, @Nullable Path target, Path name) throws IOException {
    ClassFiles files = new DirectoryClassFiles(source);
    int before = report.changed();
    List<Path> moduleInfos = new ArrayList<>();
    for (Path path : Tree.of(source)) {
      Path copy = copyOf(path, source, target);
      if (Files.isSymbolicLink(path) && !path.equals(source)) {
        copyLink(path, copy, source);
      } else if (Files.isDirectory(path)) {
        if (copy != null) {
          Permissions.createDirectory(copy);
          directories.push(new Directory(path, copy));
        }
      } else if (!Files.isRegularFile(path)) {
        report.warn(path.toString(), "left out: it is neither a file nor a directory");
      } else if (fileName(path).equals(JarRewriter.MODULE_INFO)) {
        moduleInfos.add(path);
      } else {
        rewriteFile(path, copy, name.resolve(source.relativize(path)), files);
      }
    }
    boolean rewired = report.changed() != before;
    for (Path path : moduleInfos) {
      Outcome outcome = transformer.connect(Files.readAllBytes(path), rewired);
      put(path, outcome, copyOf(path, source, target));
    }
  }

  /**
   * Copies a link as a link. One that stays under the source leads to the same file in the copy;
   * what another one leads to is not read, and the copy leads there as well, wherever it lies.
   */
  private void copyLink(Path path, @Nullable Path copy, Path source) throws IOException {
    Path real = source.toRealPath();
    Path end = Files.exists(path) ? path.toRealPath() : Files.readSymbolicLink(path);
    Path link = end;
    if (!Files.exists(path)) {
      report.warn(path.toString(), "copied as the link that it is: it leads to nothing");
    } else if (end.startsWith(real)) {
      link = Outputs.parent(path.toAbsolutePath()).toRealPath().relativize(end);
    } else {
      report.warn(
          path.toString(),
          "copied as the link that it is: it leads to "
              + end
              + ", which is not rewritten; name it as an input for that");
    }
    if (copy != null) {
      Files.createSymbolicLink(copy, link);
    }
  }

  /** From the innermost directory outwards, when all is written: a directory may be read-only. */
  private void copyPermissions() throws IOException {
    for (Directory directory : directories) {
      Permissions.copy(directory.source, directory.target);
    }
  }

  private static @Nullable Path copyOf(Path path, Path source, @Nullable Path target) {
    return target == null ? null : target.resolve(source.relativize(path).toString());
  }

  private void rewriteFile(Path path, @Nullable Path copy, Path inTheEnd, ClassFiles files)
      throws IOException {
    String name = fileName(path);
    if (JarRewriter.isJar(name)) {
      rewriteJar(path, copy, inTheEnd);
    } else if (name.endsWith(".class") && Files.size(path) <= EntryContents.MAXIMUM_CLASS_BYTES) {
      Outcome outcome = JarRewriter.rewired(transformer, Files.readAllBytes(path), files);
      put(path, outcome, copy);
      if (outcome.isChanged()) {
        programs.changed(inTheEnd);
      }
    } else if (copy != null) {
      Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private void put(Path path, Outcome outcome, @Nullable Path copy) throws IOException {
    report.add(path.toString(), outcome);
    byte[] bytes = outcome.bytes();
    if (copy != null && bytes != null) {
      Permissions.createFile(copy);
      try (OutputStream out = new NamedOutput(copy)) {
        out.write(bytes);
      }
      Permissions.copy(path, copy);
    } else if (copy != null) {
      Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private static String fileName(Path path) throws IOException {
    Path name = path.toAbsolutePath().normalize().getFileName();
    if (name == null) {
      throw new IOException(path + " has no name of its own");
    }
    return name.toString();
  }

  /**
   * The number of class files in the inputs, for a progress bar. Jars inside jars are not counted.
   */
  public static int countClasses(List<Path> inputs) throws IOException {
    int count = 0;
    for (Path input : inputs) {
      if (Files.exists(input)) {
        for (Path path : Tree.of(input)) {
          boolean isClass = fileName(path).endsWith(".class");
          if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) || path.equals(input)) {
            count += isClass ? 1 : JarRewriter.countClasses(path);
          }
        }
      }
    }
    return count;
  }
}
