package io.karmi.retrofit.cli;

import io.karmi.cli.Command;
import io.karmi.cli.OneLine;
import io.karmi.retrofit.boot.BootPatch;
import io.karmi.retrofit.explain.Explanation;
import io.karmi.retrofit.explain.Way;
import io.karmi.retrofit.jar.DiskRewriter;
import io.karmi.retrofit.jar.Progress;
import io.karmi.retrofit.jar.Report;
import io.karmi.retrofit.rewrite.Transformer;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/**
 * The command {@code karmi-retrofit}: parses its arguments and runs the delivery that they ask for.
 */
public final class KarmiRetrofit {
  private static final String HELP =
      """
      usage: karmi-retrofit [options] INPUT... -o OUTPUT
             karmi-retrofit [options] --boot DIRECTORY
             karmi-retrofit [options] --explain INPUT...

      Rewires class files to KaRMI. An INPUT is a jar, a war, an ear or a directory with such; it is not
      changed. OUTPUT is the new one, or a directory for several inputs. With --boot, patch jars for the JDK that
      runs this command are made in DIRECTORY; then
          java @DIRECTORY/java.args ...
      runs any program on KaRMI.

        -o, --output OUTPUT      where to write
            --boot DIRECTORY     make boot path patches of this JDK
            --module NAME        with --boot: rewire every class of this module of the JDK too
            --only PART          swap in this part alone: [serialization|rmi]
            --include PATTERN    rewire only classes that match, such as com.acme.*
            --exclude PATTERN    leave classes that match
            --weave              give serializable classes methods that write and read their fields
            --no-weave           do not: the default; of both the last one counts
            --report             list each class and what was done to it
            --dry-run            list what would be done, and write nothing
            --explain            say what would be swapped in, what stays and why; write nothing. What
                                 cannot be read is named, and all else explained
        -h, --help               this text
            --version            version, commit and JDK
            --trace              where it failed, if it fails

      exit status: 0 done, 1 something failed or could not be read, 2 wrong usage.
      """;

  private static final Set<String> SHARED =
      Set.of("only", "include", "exclude", "weave", "no-weave");

  private final PrintStream out;
  private final PrintStream err;

  KarmiRetrofit(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(new KarmiRetrofit(System.out, System.err).run(arguments));
  }

  int run(String... arguments) {
    return new Command("karmi-retrofit", HELP, out, err)
        .run(
            rest -> {
              CommandLine line = new DefaultParser(false).parse(options(), rest);
              requireOnce(line, "output", "boot");
              if (line.hasOption("module") && !line.hasOption("boot")) {
                throw new ParseException("--module goes with --boot");
              }
              if (line.hasOption("explain")) {
                return explain(line);
              }
              return line.hasOption("boot") ? boot(line) : disk(line);
            },
            arguments);
  }

  private static void requireOnce(CommandLine line, String... options) throws ParseException {
    for (String option : options) {
      String[] values = line.getOptionValues(option);
      if (values != null && values.length > 1) {
        throw new ParseException("--" + option + " is given more than once");
      }
    }
  }

  private int disk(CommandLine line) throws IOException, ParseException {
    List<Path> inputs = inputs(line);
    boolean dryRun = line.hasOption("dry-run");
    if (!dryRun && !line.hasOption("output")) {
      throw new ParseException("no output is given: -o OUTPUT");
    }
    RetrofitOptions options = shared(line);
    boolean listed = dryRun || line.hasOption("report");
    boolean terminal = System.console() != null && !listed;
    Progress progress =
        new Progress(terminal ? err : null, terminal ? DiskRewriter.countClasses(inputs) : 0);
    Report report = new Report(listed ? out : null, err, progress);
    DiskRewriter rewriter =
        new DiskRewriter(new Transformer(RuleSet.onDisk(options), options), report);
    if (dryRun) {
      rewriter.dryRun(inputs);
    } else {
      rewriter.rewrite(inputs, output(line.getOptionValue("output"), inputs));
      for (Path program : rewriter.programs()) {
        out.println("Put " + DiskRewriter.KARMI_JAR + " beside " + program + " for java -jar.");
      }
    }
    progress.clear();
    out.printf(
        "%d of %d %s %s%n",
        report.changed(),
        report.classes(),
        report.classes() == 1 ? "class" : "classes",
        dryRun ? "would be rewired" : "rewired");
    return Command.DONE;
  }

  /** The output: for a single file, its own name in what is written as a folder. */
  private static Path output(String argument, List<Path> inputs) {
    Path output = Path.of(argument);
    Path first = inputs.get(0);
    boolean folder = argument.endsWith("/") || argument.endsWith(File.separator);
    return folder && inputs.size() == 1 && Files.isRegularFile(first)
        ? output.resolve(first.getFileName())
        : output;
  }

  private int explain(CommandLine line) throws IOException, ParseException {
    if (line.hasOption("output") || line.hasOption("boot")) {
      throw new ParseException("--explain writes nothing: it takes neither -o nor --boot");
    }
    Explanation explanation = new Explanation(Way.JARS, shared(line));
    Collection<IOException> unread = explanation.read(inputs(line));
    explanation.print(out, line.hasOption("report"));
    unread.forEach(each -> err.println("karmi-retrofit: " + OneLine.of(each)));
    return unread.isEmpty() ? Command.DONE : Command.FAILED;
  }

  private int boot(CommandLine line) throws IOException, ParseException {
    if (line.hasOption("output") || !line.getArgList().isEmpty()) {
      throw new ParseException("--boot takes neither inputs nor -o");
    }
    if (line.hasOption("dry-run")) {
      throw new ParseException("--boot writes what it makes: it takes no --dry-run");
    }
    RetrofitOptions options = shared(line);
    if (options.weave()) {
      throw new ParseException("--boot weaves no class: it takes no --weave");
    }
    RuleSet rules = RuleSet.inPlace(options);
    BootPatch patch = new BootPatch(rules, new Transformer(rules, options));
    String[] modules = line.getOptionValues("module");
    Path directory = Path.of(line.getOptionValue("boot"));
    List<String> changes = patch.write(directory, modules == null ? Set.of() : Set.of(modules));
    if (line.hasOption("report")) {
      changes.forEach(out::println);
    }
    out.println("java @" + directory.resolve(BootPatch.ARGUMENTS) + " runs programs on KaRMI");
    return Command.DONE;
  }

  private static List<Path> inputs(CommandLine line) throws IOException, ParseException {
    List<Path> inputs = new ArrayList<>();
    for (String argument : line.getArgs()) {
      Path input = Path.of(argument);
      if (!Files.exists(input)) {
        throw new IOException(argument + " is not there");
      }
      inputs.add(input);
    }
    if (inputs.isEmpty()) {
      throw new ParseException("no jar or directory is given");
    }
    return inputs;
  }

  /** The options that the command shares with the agent, in their order, by the same parser. */
  private static RetrofitOptions shared(CommandLine line) {
    RetrofitOptions.Builder builder = new RetrofitOptions.Builder();
    for (Option each : line.getOptions()) {
      String key = each.getLongOpt();
      if (SHARED.contains(key)) {
        builder.set(key, each.hasArg() ? each.getValue() : "");
      }
    }
    return builder.build();
  }

  private static Options options() {
    return new Options()
        .addOption(Option.builder("o").longOpt("output").hasArg().get())
        .addOption(Option.builder().longOpt("boot").hasArg().get())
        .addOption(Option.builder().longOpt("module").hasArg().get())
        .addOption(Option.builder().longOpt("only").hasArg().get())
        .addOption(Option.builder().longOpt("include").hasArg().get())
        .addOption(Option.builder().longOpt("exclude").hasArg().get())
        .addOption(Option.builder().longOpt("weave").get())
        .addOption(Option.builder().longOpt("no-weave").get())
        .addOption(Option.builder().longOpt("report").get())
        .addOption(Option.builder().longOpt("dry-run").get())
        .addOption(Option.builder().longOpt("explain").get());
  }
}
