package io.karmi.benchmarks.startup;

import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.startup.remote.Directory;
import io.karmi.benchmarks.startup.remote.DirectoryClient;
import io.karmi.benchmarks.startup.remote.DirectoryServer;
import io.karmi.benchmarks.startup.remote.Entry;
import io.karmi.benchmarks.startup.remote.Query;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.spi.ToolProvider;

/**
 * A server and a client that calls it once, in jars: as compiled, and prepared ahead of time with
 * woven classes and karmic's stubs.
 */
final class RemoteProgram {
  private static final long DEADLINE_SECONDS = 120;
  private static final List<Class<?>> CLASSES =
      List.of(
          Directory.class, Entry.class, Query.class, DirectoryServer.class, DirectoryClient.class);

  private final Path directory;
  private final Path karmi;

  /**
   * How long server and client took, from the start of their processes, and the processor time of
   * their whole processes, in milliseconds.
   */
  record Times(double serverReady, double clientDone, double serverCpu, double clientCpu) {}

  /**
   * @param directory for the jars
   * @param karmi the jar of KaRMI
   */
  RemoteProgram(Path directory, Path karmi) {
    this.directory = directory;
    this.karmi = karmi;
  }

  /** Writes the program as it is compiled, and returns its class path. */
  String writeStock() throws IOException {
    Path classes = directory.resolve("remote");
    for (Class<?> each : CLASSES) {
      Path file = classes.resolve(each.getName().replace('.', '/') + ".class");
      Files.createDirectories(file.getParent());
      try (InputStream in = each.getResourceAsStream(each.getSimpleName() + ".class")) {
        Files.copy(Objects.requireNonNull(in), file);
      }
    }
    return jar(classes);
  }

  /** Weaves the program, makes its stubs, and returns the class path of both with KaRMI. */
  String writeAheadOfTime(String stock) throws IOException, InterruptedException {
    Path woven = directory.resolve("woven.jar");
    tool("io.karmi.retrofit.cli.KarmiRetrofit", "--weave", stock, "-o", woven.toString());
    Path stubs = directory.resolve("stubs");
    tool("io.karmi.stubgen.cli.Karmic", "-d", stubs.toString(), "--scan", stock);
    return String.join(
        System.getProperty("path.separator"), woven.toString(), jar(stubs), karmi.toString());
  }

  /** Makes a jar of a folder, beside it: the JDK's caches take classes of jars only. */
  private static String jar(Path folder) throws IOException {
    String jar = folder + ".jar";
    ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
    if (tool.run(System.out, System.err, "-cf", jar, "-C", folder.toString(), ".") != 0) {
      throw new IOException("the JDK's tool made no " + jar);
    }
    return jar;
  }

  private void tool(String main, String... arguments) throws IOException, InterruptedException {
    try (Child child = start(List.of("-cp", karmi.toString()), main, arguments)) {
      child.end(main, DEADLINE_SECONDS);
    }
  }

  /**
   * Runs server and client once.
   *
   * @throws IOException if one fails, or the answer is another than the program's
   */
  Times run(List<String> serverOptions, List<String> clientOptions)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    try (Child server = start(serverOptions, DirectoryServer.class.getName())) {
      String port = port(server);
      final double ready = millisSince(begun);
      double before = ChildTime.millis();
      begun = System.nanoTime();
      String answer;
      try (Child client = start(clientOptions, DirectoryClient.class.getName(), port)) {
        answer = client.end("the client", DEADLINE_SECONDS);
      }
      final double done = millisSince(begun);
      final double clientCpu = ChildTime.millis() - before;
      if (!answer.contains("karmi on page 42: [one, two]")) {
        throw new IOException("the client printed " + answer.strip());
      }
      server.end("the server", DEADLINE_SECONDS);
      return new Times(ready, done, ChildTime.millis() - before - clientCpu, clientCpu);
    }
  }

  private static String port(Child server) throws IOException, InterruptedException {
    for (String line = server.line(); line != null; line = server.line()) {
      if (line.startsWith("port ")) {
        return line.substring("port ".length());
      }
    }
    String printed = server.end("the server", DEADLINE_SECONDS);
    throw new IOException("the server printed no port: " + printed);
  }

  private static double millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e6;
  }

  private static Child start(List<String> options, String main, String... arguments)
      throws IOException {
    List<String> all = new ArrayList<>(options);
    all.add(main);
    all.addAll(List.of(arguments));
    return Child.withoutInput(all);
  }
}
