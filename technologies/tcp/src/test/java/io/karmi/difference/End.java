package io.karmi.difference;

import io.karmi.contract.TechnologyContract;
import io.karmi.difference.programs.Program;
import io.karmi.reference.Node;
import io.karmi.stubgen.model.RemoteModel;
import io.karmi.tcp.TcpProvider;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One end of a program, in a JVM of its own that is killed when the test is over. */
final class End implements AutoCloseable {
  private static final int DEADLINE_SECONDS = 90;

  private final String name;
  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final Thread reader;
  private volatile boolean over;

  private End(String name, Path java, String classPath, String... main) throws IOException {
    this.name = name;
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    command.add("-Dstdout.encoding=UTF-8");
    command.add("-Dfile.encoding=UTF-8");
    command.add("-cp");
    command.add(classPath);
    command.addAll(Arrays.asList(main));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    reader = new Thread(this::read, "output of " + name);
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a server and waits until it is ready to be called. */
  static End server(String stack, Class<? extends Program> program, int port) throws Exception {
    return server(Jdks.own(), stack, program, port);
  }

  /** Starts a server on a JDK and waits until it is ready to be called. */
  static End server(Path jdk, String stack, Class<? extends Program> program, int port)
      throws Exception {
    return launch("server", jdk, stack, "serve", program, port).ready(Launcher.READY);
  }

  /** Runs a client to its end. */
  static End client(String stack, Class<? extends Program> program, int port) throws Exception {
    return client(Jdks.own(), stack, program, port);
  }

  /** Runs a client on a JDK to its end. */
  static End client(Path jdk, String stack, Class<? extends Program> program, int port)
      throws Exception {
    End client = launch("client", jdk, stack, "call", program, port);
    if (!client.ended()) {
      client.close();
      throw new AssertionError("client does not end: " + client.everything());
    }
    return client;
  }

  private static End launch(
      String name, Path jdk, String stack, String end, Class<? extends Program> program, int port)
      throws IOException {
    return new End(
        name,
        Jdks.java(jdk),
        stack.equals("stock") ? classPathWithoutKarmi() : classPath(),
        Launcher.class.getName(),
        stack,
        end,
        program.getName(),
        String.valueOf(port));
  }

  /** Starts a command of KaRMI with no class of a program on its class path. */
  static End command(String mainClass, String argument, String ready) throws Exception {
    String withoutPrograms =
        Arrays.stream(classPath().split(File.pathSeparator))
            .filter(entry -> !entry.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));
    return new End("command", Jdks.java(Jdks.own()), withoutPrograms, mainClass, argument)
        .ready(ready);
  }

  /** What the programs need, and none of the modules that make up KaRMI. */
  private static String classPathWithoutKarmi() {
    Set<Path> karmi = new HashSet<>();
    for (Class<?> each :
        List.of(
            OutputBuffer.class,
            RemoteModel.class,
            Node.class,
            TcpProvider.class,
            TechnologyContract.class)) {
      karmi.add(Path.of(each.getProtectionDomain().getCodeSource().getLocation().getPath()));
    }
    return Arrays.stream(classPath().split(File.pathSeparator))
        .filter(entry -> !karmi.contains(Path.of(entry)))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  static int anyFreePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        synchronized (lines) {
          lines.add(line);
          lines.notifyAll();
        }
      }
    } catch (IOException e) {
      synchronized (lines) {
        lines.add("cannot read the output: " + e);
      }
    } finally {
      over = true;
      synchronized (lines) {
        lines.notifyAll();
      }
    }
  }

  private End ready(String sign) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    synchronized (lines) {
      while (lines.stream().noneMatch(line -> line.startsWith(sign))) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0 || over) {
          process.destroyForcibly();
          throw new AssertionError(name + " does not start: " + lines);
        }
        lines.wait(left);
      }
    }
    return this;
  }

  /** Waits for the JVM to end by itself; false if it does not in time. */
  boolean ended() throws InterruptedException {
    if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
      return false;
    }
    reader.join();
    return true;
  }

  private List<String> everything() {
    synchronized (lines) {
      return new ArrayList<>(lines);
    }
  }

  /** What the program has observed, and whatever else was printed. */
  List<String> observed() {
    List<String> observed = new ArrayList<>();
    for (String line : everything()) {
      if (line.startsWith(Launcher.MARK)) {
        observed.add(name + " " + line.substring(Launcher.MARK.length()));
      } else if (!line.equals(Launcher.READY)) {
        observed.add(name + " printed: " + line);
      }
    }
    return observed;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
