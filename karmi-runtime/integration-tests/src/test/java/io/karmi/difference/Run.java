package io.karmi.difference;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Program;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a program: the server until the client has ended. */
final class Run {
  /** Folder of this build; each program has a file with what it shows on stock RMI. */
  private static final Path STORE =
      Path.of(
          System.getProperty("karmi.test.stock", "target/stock-" + ProcessHandle.current().pid()));

  private Run() {}

  /**
   * What a program shows when both ends are on stock RMI; run once for all tests. They run in
   * several JVMs: the file of a program is locked while one of them runs it.
   */
  static String onStock(Class<? extends Program> program) throws Exception {
    Path file = STORE.resolve(program.getSimpleName());
    Files.createDirectories(file.getParent());
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE);
        FileLock lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      if (channel.size() == 0) {
        String shown = of(Side.STOCK, Side.STOCK, program);
        assertThat(shown.lines().count()).as("what stock RMI shows").isGreaterThan(2);
        Files.writeString(file, shown);
      }
      return Files.readString(file);
    }
  }

  /** What a program shows at both ends, the server's lines first. */
  static String of(Side serverSide, Side clientSide, Class<? extends Program> program)
      throws Exception {
    return of(serverSide, clientSide, program, FreePort.any());
  }

  /** What a program shows whose registry is at the port of another program. */
  static String of(Side serverSide, Side clientSide, Class<? extends Program> program, int port)
      throws Exception {
    try (Jvm server = server(serverSide, program, port);
        Jvm client = clientSide.start("call", program, port)) {
      client.everything();
      return observed(server, client);
    }
  }

  /**
   * What a program shows at both ends on KaRMI that a technology is there for, by which the client
   * has to have made calls: otherwise the program would show the same if all of them went another
   * way.
   */
  static String over(String technology, Side side, Class<? extends Program> program)
      throws Exception {
    int port = FreePort.any();
    Side counting = side.with("-D" + Launcher.WAY + "=" + technology);
    try (Jvm server = server(side, program, port);
        Jvm client = counting.start("call", program, port)) {
      client.everything();
      String observed = observed(server, client);
      assertThat(client.linesWith(Launcher.CALLS))
          .as("calls by %s; the program shows%n%s", technology, observed)
          .singleElement()
          .satisfies(
              line ->
                  assertThat(Long.parseLong(line.substring(Launcher.CALLS.length()))).isPositive());
      return observed;
    }
  }

  private static String observed(Jvm server, Jvm client) {
    List<String> observed = new ArrayList<>(observed("server", server));
    observed.addAll(observed("client", client));
    return String.join("\n", observed);
  }

  /** Starts a server and waits until it is ready to be called. */
  static Jvm server(Side side, Class<? extends Program> program, int port) throws Exception {
    Jvm server = side.start("serve", program, port);
    server.awaitLine(Launcher.READY);
    return server;
  }

  /** What the program has observed so far, and whatever else was printed. */
  static List<String> observed(String name, Jvm jvm) {
    List<String> observed = new ArrayList<>();
    for (String line : jvm.lines()) {
      if (line.startsWith(Launcher.MARK)) {
        observed.add(name + " " + line.substring(Launcher.MARK.length()));
      } else if (!line.startsWith(Launcher.READY) && !line.startsWith(Launcher.CALLS)) {
        observed.add(name + " printed: " + line);
      }
    }
    return observed;
  }
}
