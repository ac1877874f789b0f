package io.karmi.difference;

import io.karmi.difference.programs.Lifetime;
import io.karmi.difference.programs.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs both ends of a program, and collects what they observe. */
final class TwoJvms {
  private static final int DEADLINE_SECONDS = 90;

  private TwoJvms() {}

  /** The lines of the server and those of the client, in this order, each with the name of its end in front. */
  static List<String> run(String stack, Class<? extends Program> program) throws Exception {
    int port = anyFreePort();
    List<String> observed = new ArrayList<>();
    try (End server = new End(stack, "serve", program, port)) {
      server.awaitReady();
      List<String> seen;
      try (End client = new End(stack, "call", program, port)) {
        if (!client.ended()) {
          throw new AssertionError("client does not end: " + client.everything());
        }
        seen = client.observed("client ");
      }
      boolean mortal = program == Lifetime.class;
      if (mortal && server.ended()) {
        seen.add("server has ended by itself");
      }
      observed.addAll(server.observed("server "));
      observed.addAll(seen);
    }
    return observed;
  }

  private static int anyFreePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** One JVM. */
  private static final class End implements AutoCloseable {
    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread reader;

    End(String stack, String end, Class<? extends Program> program, int port) throws IOException {
      String classPath =
          System.getProperty(
              "surefire.test.class.path", System.getProperty("java.class.path"));
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Djava.rmi.server.hostname=127.0.0.1",
                  "-Dstdout.encoding=UTF-8",
                  "-Dfile.encoding=UTF-8",
                  "-cp",
                  classPath,
                  Launcher.class.getName(),
                  stack,
                  end,
                  program.getName(),
                  String.valueOf(port))
              .redirectErrorStream(true)
              .start();
      reader = new Thread(this::read, "output of " + end);
      reader.setDaemon(true);
      reader.start();
    }

    private void read() {
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          synchronized (lines) {
            lines.add(line);
          }
          if (line.equals(Launcher.READY)) {
            ready.countDown();
          }
        }
      } catch (IOException e) {
        synchronized (lines) {
          lines.add("cannot read the output: " + e);
        }
      } finally {
        ready.countDown();
      }
    }

    void awaitReady() throws InterruptedException {
      boolean inTime = ready.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
      if (!inTime || !everything().contains(Launcher.READY)) {
        throw new AssertionError("server does not start: " + everything());
      }
    }

    boolean ended() throws InterruptedException {
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        return false;
      }
      reader.join();
      return true;
    }

    List<String> everything() {
      synchronized (lines) {
        return new ArrayList<>(lines);
      }
    }

    List<String> observed(String prefix) {
      List<String> observed = new ArrayList<>();
      for (String line : everything()) {
        if (line.startsWith(Launcher.MARK)) {
          observed.add(prefix + line.substring(Launcher.MARK.length()));
        } else if (!line.equals(Launcher.READY)) {
          observed.add(prefix + "printed: " + line);
        }
      }
      return observed;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
