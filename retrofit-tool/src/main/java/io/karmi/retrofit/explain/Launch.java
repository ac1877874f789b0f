package io.karmi.retrofit.explain;

import io.karmi.retrofit.jar.Manifests;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * A command line of {@code java}: the jars and folders of its class path and module path, those
 * that the manifests name or a known launcher opens included, and its system properties.
 */
public final class Launch {
  private static final String JAR = "-jar";

  private static final Set<String> PATHS =
      Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path");

  /** Options whose value is the next argument. */
  private static final Set<String> WITH_VALUE =
      Set.of(
          "--add-modules",
          "--add-exports",
          "--add-opens",
          "--add-reads",
          "--limit-modules",
          "--patch-module",
          "--upgrade-module-path",
          "--enable-native-access",
          "--source");

  private final Set<Path> roots = new LinkedHashSet<>();

  /** What is named and is not there: the JVM ignores it. */
  final List<String> missing = new ArrayList<>();

  /** Files of other agents. */
  final List<String> agents = new ArrayList<>();

  private final Map<String, String> properties = new LinkedHashMap<>();
  private @Nullable String main;
  private @Nullable String mainClass;

  private Launch() {}

  /**
   * Reads a command line.
   *
   * @param arguments those of {@code java}, with those of the program behind them
   * @throws IllegalArgumentException if they name no program
   * @throws java.nio.file.NoSuchFileException if the jar of {@code -jar} is not there
   */
  public static Launch of(List<String> arguments) throws IOException {
    Launch launch = new Launch();
    launch.read(new ArrayDeque<>(expanded(arguments)));
    if (launch.main == null) {
      throw new IllegalArgumentException("no program is named: -jar app.jar, or -cp PATH Main");
    }
    return launch;
  }

  /** Argument files are replaced by what they hold, up to the program's own arguments. */
  private static List<String> expanded(List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>();
    for (String each : arguments) {
      if (each.startsWith("@") && each.length() > 1 && !each.startsWith("@@")) {
        all.addAll(words(Files.readString(Path.of(each.substring(1)))));
      } else {
        all.add(each);
      }
    }
    return all;
  }

  /** The words of an argument file: quotes keep blanks, {@code #} begins a comment. */
  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    for (String line : text.split("\\R")) {
      StringBuilder word = new StringBuilder();
      char quote = 0;
      for (char each : (line + " ").toCharArray()) {
        if (quote == 0 && each == '#') {
          break;
        } else if (quote == 0 && Character.isWhitespace(each)) {
          if (word.length() > 0) {
            words.add(word.toString());
            word.setLength(0);
          }
        } else if (each == quote) {
          quote = 0;
        } else if (quote == 0 && (each == '"' || each == '\'')) {
          quote = each;
        } else {
          word.append(each);
        }
      }
    }
    return words;
  }

  private void read(Deque<String> arguments) throws IOException {
    String path = null;
    String modules = null;
    String start = "";
    while (!arguments.isEmpty() && main == null) {
      String option = arguments.pop();
      String name = option.startsWith("--") ? option.replaceFirst("=.*", "") : option;
      if (option.equals(JAR) || name.equals("-m") || name.equals("--module")) {
        main = value(option, name, arguments);
        start = option;
      } else if (PATHS.contains(name)) {
        String value = value(option, name, arguments);
        if (name.equals("-p") || name.equals("--module-path")) {
          modules = value;
        } else {
          path = value;
        }
      } else if (WITH_VALUE.contains(option)) {
        value(option, name, arguments);
      } else if (option.startsWith("-D")) {
        int equals = option.indexOf('=');
        properties.put(
            option.substring(2, equals < 0 ? option.length() : equals),
            equals < 0 ? "" : option.substring(equals + 1));
      } else if (option.startsWith("-javaagent:")) {
        agents.add(option.substring("-javaagent:".length()).replaceFirst("=.*", ""));
      } else if (!option.startsWith("-")) {
        main = option;
        mainClass = option.endsWith(".java") ? null : option.replace('.', '/');
      }
      if (option.equals(JAR) && main != null) {
        if (!Files.exists(Path.of(main))) {
          throw new NoSuchFileException(main);
        }
        add(Path.of(main));
      }
    }
    if (modules != null) {
      addModules(modules);
    }
    if (path == null && start.isEmpty()) {
      addPath(usualPath());
    } else if (path != null && !start.equals(JAR)) {
      addPath(path);
    }
    addWhatIsOpenedBy(Launcher.of(start.equals(JAR) ? mainOfJar() : mainClass));
  }

  /** The main class that the manifest of the jar of {@code -jar} names. */
  private @Nullable String mainOfJar() throws IOException {
    Path jar = roots.iterator().next();
    try (ZipFile file = new ZipFile(jar.toFile())) {
      Manifest manifest = Manifests.of(file);
      String named =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
      return named == null || named.isBlank() ? null : named.strip().replace('.', '/');
    } catch (ZipException e) {
      throw new IOException(jar + " is no jar: " + e.getMessage(), e);
    }
  }

  private void addWhatIsOpenedBy(@Nullable Launcher launcher) throws IOException {
    if (launcher == null) {
      return;
    }
    for (Path root : List.copyOf(roots)) {
      if (!Files.isDirectory(root) && has(root, launcher.file())) {
        String set = property(launcher.property);
        Path home = set != null ? Path.of(set) : root.toAbsolutePath().resolve("../..").normalize();
        for (Path each : launcher.opens(home)) {
          add(each);
        }
        return;
      }
    }
  }

  private static boolean has(Path jar, String file) {
    try (JarFile opened = new JarFile(jar.toFile())) {
      return opened.getEntry(file) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static String value(String option, String name, Deque<String> arguments) {
    if (option.length() > name.length()) {
      return option.substring(name.length() + 1);
    } else if (arguments.isEmpty()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return arguments.pop();
  }

  private static String usualPath() {
    String set = System.getenv("CLASSPATH");
    return set == null ? "" : set;
  }

  /** An empty element is the current directory. */
  private void addPath(String path) throws IOException {
    for (String each : path.split(File.pathSeparator, -1)) {
      if (each.equals("*") || each.endsWith(File.separator + "*")) {
        addJarsOf(Path.of(each.substring(0, each.length() - 1)));
      } else {
        add(Path.of(each.isEmpty() ? "." : each));
      }
    }
  }

  /** A module path names modules, and folders of them. */
  private void addModules(String path) throws IOException {
    for (String each : path.split(File.pathSeparator)) {
      Path place = Path.of(each); // an empty one is the current directory
      if (Files.isDirectory(place) && !hasModule(place)) {
        addJarsOf(place);
      } else {
        add(place);
      }
    }
  }

  private void addJarsOf(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      missing.add(folder.toString());
      return;
    }
    try (Stream<Path> list = Files.list(folder)) {
      for (Path each : list.sorted().toList()) {
        if (Files.isDirectory(each) ? hasModule(each) : each.toString().endsWith(".jar")) {
          add(each);
        }
      }
    }
  }

  private static boolean hasModule(Path folder) {
    return Files.exists(folder.resolve("module-info.class"));
  }

  /** Adds a jar or folder, and what its manifest names. */
  private void add(Path root) throws IOException {
    Path normal = root.normalize();
    Path place = normal.toString().isEmpty() ? Path.of(".") : normal; // it is printed
    if (!Files.exists(place)) {
      missing.add(root.toString());
    } else if (roots.add(place) && !Files.isDirectory(place)) {
      for (Path named : classPath(place)) {
        add(named);
      }
    }
  }

  /** What a jar names; nothing where it cannot be read, which who reads its classes says. */
  private static List<Path> classPath(Path jar) {
    try (ZipFile file = new ZipFile(jar.toFile())) {
      Manifest manifest = Manifests.of(file);
      return manifest == null ? List.of() : Manifests.classPath(manifest, jar);
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Jars and folders with classes, in the order in which they are searched. */
  public Set<Path> roots() {
    return roots;
  }

  /**
   * Internal name of the class that the class path must have; null for a jar, a module or a source
   * file.
   */
  @Nullable String mainClass() {
    return mainClass;
  }

  /** Value of a system property, or null. */
  @Nullable String property(String name) {
    return properties.get(name);
  }
}
