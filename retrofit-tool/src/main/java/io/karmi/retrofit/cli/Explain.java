package io.karmi.retrofit.cli;

import io.karmi.cli.Command;
import io.karmi.cli.OneLine;
import io.karmi.retrofit.explain.Explanation;
import io.karmi.retrofit.explain.Launch;
import io.karmi.retrofit.explain.Way;
import io.karmi.retrofit.rules.RetrofitOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * {@code karmi-java --explain}: what the agent or the boot path would do to the program of a
 * command line of {@code java}, without running it. The script passes its own options first.
 */
public final class Explain {
  private static final String HELP =
      """
      usage: karmi-java --explain[=all] [--via=agent|boot] [--only=serialization|rmi] <arguments of java>

      Says what KaRMI would swap in and what would stay, and why. Nothing of the program is run. A jar that
      cannot be read is named, and all else explained; the exit status is 1 then.
      """;

  private static final String TRACE = "--trace";

  private Explain() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(run(System.out, System.err, arguments));
  }

  static int run(PrintStream out, PrintStream err, String... arguments) {
    /* What the program is given is none of the command's: it may be --help, too. */
    List<String> words = new ArrayList<>(List.of(arguments));
    boolean isTraced = words.indexOf(TRACE) == 0;
    Command command = new Command("karmi-java", HELP, out, err);
    return isTraced
        ? command.run(none -> explain(out, err, words.subList(1, words.size())), TRACE)
        : command.run(none -> explain(out, err, words));
  }

  private static int explain(PrintStream out, PrintStream err, List<String> arguments)
      throws IOException {
    List<String> rest = new ArrayList<>(arguments);
    boolean all = false;
    Way way = Way.AGENT;
    RetrofitOptions.Builder options = new RetrofitOptions.Builder();
    while (!rest.isEmpty() && rest.get(0).matches("--(explain|via|only)(=.*)?")) {
      String option = rest.remove(0);
      String value = option.replaceFirst("[^=]*=?", "");
      if (option.startsWith("--only")) {
        options.set("only", value);
      } else if (option.startsWith("--via")) {
        way = value.equals("boot") ? Way.BOOT : Way.AGENT;
      } else {
        all = value.equals("all");
      }
    }
    Explanation explanation = new Explanation(way, options.build());
    Collection<IOException> unread = explanation.read(Launch.of(rest));
    explanation.print(out, all);
    unread.forEach(each -> err.println("karmi-java: " + OneLine.of(each)));
    return unread.isEmpty() ? Command.DONE : Command.FAILED;
  }
}
