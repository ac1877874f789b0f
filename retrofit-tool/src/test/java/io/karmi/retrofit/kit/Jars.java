package io.karmi.retrofit.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Makes jars of directories; one of them KaRMI's, as the distribution has it. */
public final class Jars {
  private Jars() {}

  /** A jar of everything in a directory. */
  public static Path of(Path jar, Manifest manifest, Path directory) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      addDirectory(out, directory, new HashSet<>());
    }
    return jar;
  }

  /** Option of a JVM with KaRMI and patches of this JDK on its boot path. */
  public static String onBootPath(Path directory) throws IOException, InterruptedException {
    Path boot = directory.resolve("boot");
    Jvm.Result made =
        Jvm.java("-cp", karmi(directory), "io.karmi.retrofit.cli.KarmiRetrofit", "--boot", boot);
    assertThat(made.exit()).as(made.err()).isZero();
    return "@" + boot.resolve("java.args");
  }

  /** A manifest with main attributes: name, value, name, value. */
  public static Manifest manifest(String... attributes) {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    for (int i = 0; i < attributes.length; i += 2) {
      manifest.getMainAttributes().put(new Attributes.Name(attributes[i]), attributes[i + 1]);
    }
    return manifest;
  }

  /**
   * {@code karmi.jar} of this build: everything of KaRMI's and the libraries it uses that is on
   * this JVM's class path.
   */
  public static Path karmi(Path directory) throws IOException {
    Path jar = directory.resolve("karmi.jar");
    Manifest manifest =
        manifest(
            "Premain-Class", "io.karmi.retrofit.agent.Agent",
            "Agent-Class", "io.karmi.retrofit.agent.Agent",
            "Launcher-Agent-Class", "io.karmi.retrofit.agent.Agent",
            "Can-Retransform-Classes", "true",
            "Can-Redefine-Classes", "true",
            "Automatic-Module-Name", "io.karmi",
            "Boot-Class-Path", "karmi.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      Set<String> names = new HashSet<>(Set.of(JarFile.MANIFEST_NAME, "module-info.class"));
      for (Path path : ofKarmi()) {
        if (Files.isDirectory(path)) {
          addDirectory(out, path, names);
        } else {
          addJar(out, path, names);
        }
      }
    }
    return jar;
  }

  private static List<Path> ofKarmi() {
    List<Path> paths = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
      Path path = Path.of(each);
      String name = path.getFileName().toString();
      boolean ours = Files.isDirectory(path) && path.endsWith(Path.of("target", "classes"));
      if (ours || name.matches("(asm|commons-cli|uka|karmi|technology)-?.*\\.jar")) {
        paths.add(path);
      }
    }
    return paths;
  }

  private static void addDirectory(JarOutputStream out, Path directory, Set<String> names)
      throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path path : (Iterable<Path>) walk.sorted()::iterator) {
        String name = directory.relativize(path).toString().replace('\\', '/');
        if (Files.isRegularFile(path) && names.add(name)) {
          out.putNextEntry(new JarEntry(name));
          Files.copy(path, out);
          out.closeEntry();
        }
      }
    }
  }

  private static void addJar(JarOutputStream out, Path path, Set<String> names) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (!entry.isDirectory() && names.add(entry.getName())) {
          out.putNextEntry(new JarEntry(entry.getName()));
          try (InputStream in = jar.getInputStream(entry)) {
            in.transferTo(out);
          }
          out.closeEntry();
        }
      }
    }
  }
}
