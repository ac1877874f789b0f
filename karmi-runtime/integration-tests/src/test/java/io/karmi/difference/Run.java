package io.karmi.difference;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Program;
import io.karmi.kit.Jvm;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    return onStock(List.of(program));
  }

  /** As above, of programs that share a JVM at each end. */
  static String onStock(List<? extends Class<? extends Program>> programs) throws Exception {
    Path file =
        STORE.resolve(programs.stream().map(Class::getSimpleName).collect(Collectors.joining("-")));
    Files.createDirectories(file.getParent());
    try (FileChannel channel = FileChannel.open(file, CREATE, WRITE);
        FileLock lock = channel.lock()) {
      assertThat(lock.isValid()).isTrue();
      if (channel.size() == 0) {
        String shown = of(Side.STOCK, Side.STOCK, programs);
        assertThat(shown.lines().count()).as("what stock RMI shows").isGreaterThan(2);
        Files.writeString(file, shown);
      }
      return Files.readString(file);
    }
  }

  /** What a program shows at both ends, the server's lines first. */
  static String of(Side serverSide, Side clientSide, Class<? extends Program> program)
      throws Exception {
    return of(serverSide, clientSide, List.of(program));
  }

  /** The same of programs that run one after the other in one JVM at each end. */
  static String of(
      Side serverSide, Side clientSide, List<? extends Class<? extends Program>> programs)
      throws Exception {
    try (Jvm server = serverSide.start("serve", programs, anyPorts(programs))) {
      try (Jvm client = clientSide.start("call", programs, awaitPorts(server))) {
        client.everything();
        assertAllHaveBegun(programs, client);
        return observed(server, client);
      }
    }
  }

  /** A program that ends its JVM would hide those behind it, on stock RMI as on KaRMI. */
  private static void assertAllHaveBegun(List<? extends Class<?>> programs, Jvm client) {
    assertThat(client.linesWith(Launcher.BEGINS))
        .containsExactlyElementsOf(
            programs.stream().map(each -> Launcher.BEGINS + each.getName()).toList());
  }

  private static List<Integer> anyPorts(List<?> programs) {
    return Collections.nCopies(programs.size(), 0);
  }

  private static List<Integer> awaitPorts(Jvm server) throws Exception {
    String[] ports = server.awaitLine(Launcher.READY).trim().split(" ");
    return Arrays.stream(ports).map(Integer::valueOf).toList();
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
   * What programs, in one JVM at each end, show on KaRMI that a technology is there for, by which
   * the client has to have made calls of each: otherwise the programs would show the same if all of
   * them went another way.
   */
  static String over(
      String technology, Side side, List<? extends Class<? extends Program>> programs)
      throws Exception {
    Side counting = side.with("-D" + Launcher.WAY + "=" + technology);
    try (Jvm server = side.start("serve", programs, anyPorts(programs))) {
      try (Jvm client = counting.start("call", programs, awaitPorts(server))) {
        client.everything();
        String observed = observed(server, client);
        assertThat(client.linesWith(Launcher.CALLS))
            .as("calls by %s; the programs show%n%s", technology, observed)
            .hasSameSizeAs(programs)
            .allSatisfy(
                line ->
                    assertThat(Long.parseLong(line.substring(Launcher.CALLS.length())))
                        .isPositive());
        return observed;
      }
    }
  }

  /** The client has ended; the server may have printed lines that are yet to be read. */
  private static String observed(Jvm server, Jvm client) throws InterruptedException {
    server.kill();
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
      } else if (Stream.of(Launcher.READY, Launcher.BEGINS, Launcher.CALLS)
          .noneMatch(line::startsWith)) {
        observed.add(name + " printed: " + line);
      }
    }
    return observed;
  }
}
