package io.karmi.benchmarks.startup;

import io.karmi.benchmarks.startup.program.Copies0000;
import io.karmi.benchmarks.startup.program.Hooked0000;
import io.karmi.benchmarks.startup.program.Leaf0000;
import io.karmi.benchmarks.startup.program.Plain0000;
import io.karmi.benchmarks.startup.program.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/**
 * A program of many classes, each in its own class file: one in twenty mentions object streams, one
 * in a hundred makes them, one in twenty is serializable and does not mention them.
 *
 * <p>A copy of a class is its class file with another number, of as many digits, wherever the name
 * stands.
 */
final class SampleProgram {
  private static final String ZEROS = "0000";

  private final Path directory;
  private final int graphs;
  private final Map<Class<?>, Integer> counts = new LinkedHashMap<>();

  /**
   * A program of about a given number of classes.
   *
   * @param classes at most 9999
   * @param graphs how many graphs of objects it copies
   */
  SampleProgram(Path directory, int classes, int graphs) {
    this.directory = directory;
    this.graphs = graphs;
    int copying = Math.max(1, classes / 100);
    int serializable = Math.max(1, classes / 20);
    counts.put(Plain0000.class, Math.max(1, classes - copying - 2 * serializable));
    counts.put(Hooked0000.class, serializable);
    counts.put(Leaf0000.class, serializable);
    counts.put(Copies0000.class, copying);
  }

  /** Writes the jar and returns how it is run, from the class path on. */
  List<String> write() throws IOException {
    Path jar = directory.resolve("program.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      put(out, Program.class.getName(), classFile(Program.class));
      for (Map.Entry<Class<?>, Integer> each : counts.entrySet()) {
        multiply(out, each.getKey(), each.getValue());
      }
    }
    List<String> command = new ArrayList<>(List.of("-cp", jar.toString(), Program.class.getName()));
    command.add(Integer.toString(graphs));
    counts.forEach(
        (template, count) -> {
          String name = template.getName();
          command.add(name.substring(0, name.length() - ZEROS.length()));
          command.add(count.toString());
        });
    return command;
  }

  /** Writes the jar of {@link EmptyAgent}. */
  Path writeEmptyAgent() throws IOException {
    Path jar = directory.resolve("empty-agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(new Attributes.Name("Premain-Class"), EmptyAgent.class.getName());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      put(out, EmptyAgent.class.getName(), classFile(EmptyAgent.class));
    }
    return jar;
  }

  private static void multiply(JarOutputStream out, Class<?> template, int count)
      throws IOException {
    String simple = template.getSimpleName();
    String stem = simple.substring(0, simple.length() - ZEROS.length());
    String classFile = new String(classFile(template), StandardCharsets.ISO_8859_1);
    for (int number = 0; number < count; number++) {
      String copy = stem + String.valueOf(10_000 + number).substring(1);
      put(
          out,
          template.getPackageName() + "." + copy,
          classFile.replace(simple, copy).getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  private static void put(JarOutputStream out, String className, byte[] classFile)
      throws IOException {
    out.putNextEntry(new ZipEntry(className.replace('.', '/') + ".class"));
    out.write(classFile);
    out.closeEntry();
  }

  static byte[] classFile(Class<?> type) throws IOException {
    String resource = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IOException("no class file " + resource);
      }
      return in.readAllBytes();
    }
  }
}
