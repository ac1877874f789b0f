package io.karmi.karmic;

import io.karmi.kit.Jvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** JVMs that a test starts: the command, programs that end, and servers that do not. */
final class Commands {
  private static final List<Jvm> SERVERS = new ArrayList<>();

  private Commands() {}

  /** Runs karmic in a JVM of its own. */
  static Jvm.Result karmic(Object... arguments) throws Exception {
    String[] words = Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
    return java(List.of("-cp", Jvm.classPath()), "io.karmi.stubgen.cli.Karmic", words);
  }

  /** Runs a program to its end. */
  static Jvm.Result java(List<String> options, String main, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(options);
    line.add(main);
    line.addAll(List.of(arguments));
    return Jvm.java(line.toArray());
  }

  /** Starts a program that prints {@code port N}, and goes on. Its options name its class path. */
  static int server(List<String> options, String main) throws Exception {
    List<String> line = new ArrayList<>(options);
    line.add(main);
    Path jdk = Path.of(System.getProperty("java.home"));
    Jvm server = Jvm.start(jdk, "", line.toArray(String[]::new));
    SERVERS.add(server);
    return Integer.parseInt(server.awaitLine("port "));
  }

  static void endServers() throws InterruptedException {
    for (Jvm each : SERVERS) {
      each.kill();
    }
    SERVERS.clear();
  }
}
