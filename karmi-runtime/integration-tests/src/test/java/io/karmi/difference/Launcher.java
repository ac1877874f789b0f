package io.karmi.difference;

import io.karmi.difference.programs.Program;
import io.karmi.kit.FreePort;
import io.karmi.reference.Node;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * Runs one end of programs in this JVM, one after the other: {@code Launcher
 * stock|karmi|karmi-counting|karmi-only serve|call (<program> <port>)…}; the last stack refuses
 * peers without KaRMI. A server finds a free port itself for 0.
 *
 * <p>What the program observes goes to the standard output behind a mark, since others write there
 * too. A client says behind another mark which of its programs begins. One that {@value #WAY} is
 * set for says behind a third one, at its end, how many calls each of its programs has made by that
 * technology.
 */
public final class Launcher {
  /** Begins each line that a program has observed. */
  static final String MARK = "observed ";

  /** Begins the server's line that says it is ready to be called, and at which ports. */
  static final String READY = "ready";

  /** Begins the client's line that names the program that begins. */
  static final String BEGINS = "begins ";

  /** Names a technology whose calls a client counts. */
  static final String WAY = "karmi.test.way";

  /** Begins the line with the calls that a program of a client has made by that technology. */
  static final String CALLS = "calls made: ";

  private Launcher() {}

  /** Runs one end of each program; the server is ready once it serves all. */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("karmi-counting")) {
      System.setProperty("karmi.dgc", "counting");
    }
    if (args[0].equals("karmi-only")) {
      System.setProperty("karmi.jrmp", "false");
    }
    boolean serves = args[1].equals("serve");
    StringBuilder ready = new StringBuilder(READY);
    for (int i = 2; i < args.length; i += 2) {
      ClassLoader loader = new RewiredLoader(args[0].startsWith("karmi"), serves);
      Thread.currentThread().setContextClassLoader(loader);
      Program program = (Program) loader.loadClass(args[i]).getConstructor().newInstance();
      int port = args[i + 1].equals("0") ? FreePort.any() : Integer.parseInt(args[i + 1]);
      ready.append(' ').append(port);
      if (serves) {
        program.serve(port, Launcher::print);
      } else {
        System.out.println(BEGINS + args[i]);
        callCounting(program, port);
      }
    }
    if (serves) {
      System.out.println(ready);
    }
    System.out.flush();
  }

  /** Counts whenever the program observes something: some programs exit and do not return. */
  private static void callCounting(Program program, int port) throws Exception {
    String way = System.getProperty(WAY);
    if (way == null) {
      program.call(port, Launcher::print);
      return;
    }
    long before = calls(way);
    LongAccumulator calls = new LongAccumulator(Long::max, 0);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(CALLS + calls.get())));
    program.call(
        port,
        line -> {
          print(line);
          calls.accumulate(calls(way) - before);
        });
  }

  private static long calls(String way) {
    return Node.current().counters().getOrDefault(way + ".callsMade", 0L);
  }

  private static void print(String line) {
    synchronized (System.out) {
      System.out.println(MARK + line.replace("\n", "\\n").replace("\r", "\\r"));
    }
  }
}
