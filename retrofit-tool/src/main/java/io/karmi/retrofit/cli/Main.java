package io.karmi.retrofit.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URL;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;

/** {@code java -jar karmi.jar}: says what the jar is and how to use it; with {@code --version}. */
public final class Main {
  private static final String UNKNOWN = "unknown";

  private static final String USAGE =
      """
      This is KaRMI: faster object streams and RMI for programs that stay as they are.

        java -javaagent:karmi.jar -jar app.jar        runs a program with it
        java -jar karmi.jar --version                 version, commit and JDK

      The commands beside it, in bin/, all have --help:

        karmi-java       runs java with KaRMI swapped in, by the agent or the boot path
        karmi-retrofit   rewrites a jar, or patches a JDK's boot path
        karmi-registry   the naming service; what is in force in a node, and how fast it answers
        karmic           stubs and skeletons ahead of time
        karmi-bench      benchmarks
      """;

  private Main() {}

  /** Ends the JVM with 2 for an argument that it does not know. */
  public static void main(String[] arguments) {
    int status = run(System.out, System.err, List.of(arguments));
    if (status != 0) {
      System.exit(status);
    }
  }

  static int run(PrintStream out, PrintStream err, List<String> arguments) {
    if (arguments.isEmpty() || List.of("--help", "-h").contains(arguments.get(0))) {
      out.print(USAGE);
      return 0;
    }
    if (arguments.get(0).equals("--version")) {
      out.println(version());
      return 0;
    }
    err.println("karmi.jar: unknown argument " + arguments.get(0) + "; see java -jar karmi.jar");
    return 2;
  }

  /** Version and commit of this jar, and the JDK that runs it. */
  static String version() {
    Attributes known = manifest();
    return "KaRMI "
        + valueOf(known, "Implementation-Version")
        + ", commit "
        + valueOf(known, "Implementation-Commit")
        + ", JDK "
        + Runtime.version()
        + " ("
        + System.getProperty("java.home")
        + ")";
  }

  private static String valueOf(Attributes known, String name) {
    String value = known.getValue(name);
    return value == null || value.isEmpty() ? UNKNOWN : value;
  }

  /** That of the jar with this class; none where it lies in a folder. */
  private static Attributes manifest() {
    URL own = Main.class.getResource("Main.class");
    if (own != null && own.getProtocol().equals("jar")) {
      String jar = own.toString();
      try (InputStream in =
          new URL(jar.substring(0, jar.indexOf('!') + 1) + "/META-INF/MANIFEST.MF").openStream()) {
        return new Manifest(in).getMainAttributes();
      } catch (IOException e) {
        return new Attributes();
      }
    }
    return new Attributes();
  }
}
