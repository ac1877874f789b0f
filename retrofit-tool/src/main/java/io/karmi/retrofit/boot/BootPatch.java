package io.karmi.retrofit.boot;

import io.karmi.cli.Unfinished;
import io.karmi.retrofit.rewrite.Outcome;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.ModuleAccess;
import io.karmi.retrofit.rules.RuleSet;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Generator of patch jars for modules of this JDK, and of the argument file that applies them. */
public final class BootPatch {
  /** The name of the argument file in the directory of a patch. */
  public static final String ARGUMENTS = "java.args";

  private static final String KARMI_JAR = "karmi.jar";

  private final RuleSet rules;
  private final Transformer transformer;
  private final Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");

  /** A generator that applies these rules. */
  public BootPatch(RuleSet rules, Transformer transformer) {
    this.rules = rules;
    this.transformer = transformer;
  }

  /**
   * Writes {@code karmi.jar}, a jar for each patched module, and last the argument file that names
   * them.
   *
   * @param wholeModules modules of the JDK of which every class is rewired
   * @return a line for each change
   */
  public List<String> write(Path directory, Set<String> wholeModules) throws IOException {
    List<String> changes = new ArrayList<>();
    Map<String, Map<String, byte[]>> patched = new TreeMap<>();
    Set<String> changed = new TreeSet<>(rules.changedInJdk());
    changed.addAll(rules.doors());
    for (String name : changed) {
      add(patched, moduleOf(name), name, changes);
    }
    for (String module : new TreeSet<>(wholeModules)) {
      addWhole(patched, module, changes);
    }
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put(KARMI_JAR, Files.readAllBytes(karmiJar()));
    boolean isNew = !Files.exists(directory);
    Files.createDirectories(directory);
    Path target = directory.toRealPath();
    for (Map.Entry<String, Map<String, byte[]>> module : patched.entrySet()) {
      files.put(module.getKey() + ".jar", jar(module.getValue()));
    }
    String arguments = String.join("\n", arguments(target, patched.keySet())) + "\n";
    files.put(
        ARGUMENTS, arguments.getBytes(StandardCharsets.UTF_8)); // the last: it names the others
    try {
      for (Map.Entry<String, byte[]> each : files.entrySet()) {
        replace(target.resolve(each.getKey()), each.getValue());
      }
    } catch (IOException e) {
      if (isNew) {
        remove(target, files.keySet());
      }
      throw e;
    }
    return changes;
  }

  /** Takes back a folder that is not complete; what others have put into it stays. */
  private static void remove(Path directory, Set<String> files) throws IOException {
    for (String each : files) {
      Files.deleteIfExists(directory.resolve(each));
    }
    try {
      Files.delete(directory);
    } catch (DirectoryNotEmptyException e) {
      /* Another JVM makes the same patch. */
    }
  }

  private void add(
      Map<String, Map<String, byte[]>> patched, String module, String name, List<String> changes)
      throws IOException {
    byte[] old = Files.readAllBytes(modules.resolve(module).resolve(name + ".class"));
    Outcome outcome =
        transformer.patch(name, old, PatchedJdk.class, PatchedJdk.thisJdk(), givenBy(module, name));
    if (outcome.note() != null) {
      throw new IOException(module + "/" + name + " cannot be patched: " + outcome.note());
    }
    if (outcome.isChanged()) {
      patched.computeIfAbsent(module, m -> new TreeMap<>()).put(name, outcome.bytes());
      for (String change : outcome.changes()) {
        changes.add(module + "/" + name.replace('/', '.') + ": " + change);
      }
    }
  }

  /**
   * The packages of its own module that a class opens to KaRMI, without those that this JDK does
   * not have.
   */
  private List<ModuleAccess> givenBy(String module, String name) {
    List<ModuleAccess> given = new ArrayList<>();
    for (ModuleAccess access : rules.access()) {
      Path packagePath = modules.resolve(module).resolve(access.packageName().replace('.', '/'));
      if (rules.doors().contains(name)
          && access.module().equals(module)
          && Files.isDirectory(packagePath)) {
        given.add(access);
      }
    }
    return given;
  }

  private void addWhole(
      Map<String, Map<String, byte[]>> patched, String module, List<String> changes)
      throws IOException {
    Path root = modules.resolve(module);
    if (!Files.isDirectory(root)) {
      throw new IOException("this JDK has no module " + module);
    }
    try (Stream<Path> walk = Files.walk(root)) {
      for (Path path : (Iterable<Path>) walk.sorted()::iterator) {
        String name = root.relativize(path).toString();
        if (name.endsWith(".class") && !name.endsWith("module-info.class")) {
          add(patched, module, name.substring(0, name.length() - ".class".length()), changes);
        }
      }
    }
  }

  private String moduleOf(String name) throws IOException {
    try (Stream<Path> all = Files.list(modules)) {
      for (Path module : (Iterable<Path>) all::iterator) {
        if (Files.exists(module.resolve(name + ".class"))) {
          return module.getFileName().toString();
        }
      }
    }
    throw new IOException(
        "this JDK has no " + name.replace('/', '.') + "; KaRMI needs the module java.rmi");
  }

  /** The jar of this class, which goes on the boot class path. */
  private static Path karmiJar() throws IOException {
    CodeSource source = BootPatch.class.getProtectionDomain().getCodeSource();
    try {
      Path jar = source == null ? null : Path.of(source.getLocation().toURI());
      if (jar != null && Files.isRegularFile(jar)) {
        return jar;
      }
    } catch (URISyntaxException e) {
      throw new IOException("cannot find " + KARMI_JAR + " at " + source.getLocation(), e);
    }
    throw new IOException(
        "--boot copies " + KARMI_JAR + ", but this is not running from it: use -cp " + KARMI_JAR);
  }

  private static byte[] jar(Map<String, byte[]> classes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> each : classes.entrySet()) {
        ZipEntry entry = new ZipEntry(each.getKey() + ".class");
        entry.setTimeLocal(LocalDateTime.of(2000, 1, 1, 0, 0)); // the same bytes each time
        out.putNextEntry(entry);
        out.write(each.getValue());
        out.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private List<String> arguments(Path directory, Set<String> patched) {
    List<String> lines = new ArrayList<>();
    lines.add("# made by karmi-retrofit from JDK " + PatchedJdk.thisJdk());
    lines.add(quoted("-Xbootclasspath/a:" + directory.resolve(KARMI_JAR)));
    Set<String> named = new TreeSet<>(patched);
    for (String module : patched) {
      lines.add(quoted("--patch-module=" + module + "=" + directory.resolve(module + ".jar")));
      lines.add("--add-reads=" + module + "=ALL-UNNAMED");
    }
    for (ModuleAccess access : rules.access()) {
      named.add(access.module());
    }
    for (Map.Entry<String, String> each : rules.properties().entrySet()) {
      lines.add("-D" + each.getKey() + "=" + each.getValue());
    }
    named.remove("java.base");
    lines.add("--add-modules=" + String.join(",", named)); // a modular program may not resolve them
    return lines;
  }

  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static void replace(Path file, byte[] bytes) throws IOException {
    /* Two JVMs may make the same patch at once. */
    String own = file.getFileName() + ".unfinished-" + ProcessHandle.current().pid();
    Path unfinished = Unfinished.add(file.resolveSibling(own));
    try {
      Files.write(unfinished, bytes);
      Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(unfinished);
      Unfinished.remove(unfinished);
    }
  }
}
