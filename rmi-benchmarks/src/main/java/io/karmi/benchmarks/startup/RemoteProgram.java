package io.karmi.benchmarks.startup;

import io.karmi.benchmarks.startup.remote.Directory;
import io.karmi.benchmarks.startup.remote.DirectoryClient;
import io.karmi.benchmarks.startup.remote.DirectoryServer;
import io.karmi.benchmarks.startup.remote.Entry;
import io.karmi.benchmarks.startup.remote.Query;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

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
    Path jar = directory.resolve("remote.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Class<?> each : CLASSES) {
        out.putNextEntry(new ZipEntry(each.getName().replace('.', '/') + ".class"));
        out.write(SampleProgram.classFile(each));
        out.closeEntry();
      }
    }
    return jar.toString();
  }

  /** Weaves the program, makes its stubs, and returns the class path of both with KaRMI. */
  String writeAheadOfTime(String stock) throws IOException, InterruptedException {
    Path woven = directory.resolve("woven.jar");
    tool("io.karmi.retrofit.cli.KarmiRetrofit", "--weave", stock, "-o", woven.toString());
    Path stubs = directory.resolve("stubs");
    tool("io.karmi.stubgen.cli.Karmic", "-d", stubs.toString(), "--scan", stock);
    Path jar = directory.resolve("stubs.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        var files = Files.walk(stubs)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        out.putNextEntry(
            new ZipEntry(
                stubs
                    .relativize(file)
                    .toString()
                    .replace(file.getFileSystem().getSeparator(), "/")));
        out.write(Files.readAllBytes(file));
        out.closeEntry();
      }
    }
    return String.join(
        System.getProperty("path.separator"), woven.toString(), jar.toString(), karmi.toString());
  }

  private void tool(String main, String... arguments) throws IOException, InterruptedException {
    List<String> options = List.of("-cp", karmi.toString());
    Process process = start(options, main, arguments);
    end(process, main, new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
  }

  /**
   * Runs server and client once.
   *
   * @throws IOException if one fails, or the answer is another than the program's
   */
  Times run(List<String> serverOptions, List<String> clientOptions)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    Process server = start(serverOptions, DirectoryServer.class.getName());
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      StringBuilder printed = new StringBuilder();
      String port = port(lines, printed);
      final double ready = millisSince(begun);
      if (port.isEmpty()) {
        end(server, "the server", printed.toString());
        throw new IOException("the server printed no port: " + printed);
      }
      double before = ChildTime.millis();
      begun = System.nanoTime();
      Process client = start(clientOptions, DirectoryClient.class.getName(), port);
      String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      end(client, "the client", answer);
      final double done = millisSince(begun);
      final double clientCpu = ChildTime.millis() - before;
      if (!answer.contains("karmi on page 42: [one, two]")) {
        throw new IOException("the client printed " + answer.strip());
      }
      lines.lines().forEach(line -> printed.append(line).append('\n'));
      end(server, "the server", printed.toString());
      return new Times(ready, done, ChildTime.millis() - before - clientCpu, clientCpu);
    } finally {
      server.destroyForcibly();
    }
  }

  private static String port(BufferedReader lines, StringBuilder printed) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      printed.append(line).append('\n');
      if (line.startsWith("port ")) {
        return line.substring("port ".length());
      }
    }
    return "";
  }

  private static double millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e6;
  }

  private Process start(List<String> options, String main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add(main);
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    builder.environment().keySet().removeAll(Set.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private static void end(Process process, String name, String printed)
      throws IOException, InterruptedException {
    boolean ended = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
    if (!ended || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(name + (ended ? " failed: " : " did not end: ") + printed.strip());
    }
  }
}
