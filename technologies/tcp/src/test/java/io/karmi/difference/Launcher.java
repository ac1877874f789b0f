package io.karmi.difference;

import io.karmi.difference.programs.Program;

/**
 * Runs one end of a program in this JVM: {@code Launcher stock|karmi|karmi-counting|karmi-only
 * serve|call <program> <port>}; the last stack refuses peers without KaRMI.
 *
 * <p>What the program observes goes to the standard output behind a mark, since others write there
 * too.
 */
public final class Launcher {
  /** Begins each line that a program has observed. */
  static final String MARK = "observed ";

  /** The server's line that says it is ready to be called. */
  static final String READY = "ready";

  private Launcher() {}

  /** Runs one end. */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("karmi-counting")) {
      System.setProperty("karmi.dgc", "counting");
    }
    if (args[0].equals("karmi-only")) {
      System.setProperty("karmi.jrmp", "false");
    }
    ClassLoader loader = new RewiredLoader(args[0].startsWith("karmi"), args[1].equals("serve"));
    Thread.currentThread().setContextClassLoader(loader);
    Program program = (Program) loader.loadClass(args[2]).getConstructor().newInstance();
    int port = Integer.parseInt(args[3]);
    if (args[1].equals("serve")) {
      program.serve(port, Launcher::print);
      System.out.println(READY);
    } else {
      program.call(port, Launcher::print);
      System.out.flush();
    }
  }

  private static void print(String line) {
    synchronized (System.out) {
      System.out.println(MARK + line.replace("\n", "\\n").replace("\r", "\\r"));
    }
  }
}
