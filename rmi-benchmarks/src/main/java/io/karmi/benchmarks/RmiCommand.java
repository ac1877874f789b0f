package io.karmi.benchmarks;

import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.payloads.Payload;
import io.karmi.benchmarks.report.HtmlPage;
import io.karmi.benchmarks.report.JsonFile;
import io.karmi.benchmarks.report.Report;
import io.karmi.benchmarks.report.TextTable;
import io.karmi.benchmarks.stacks.RmiBenchmark;
import io.karmi.benchmarks.stacks.Stack;
import io.karmi.benchmarks.stacks.TwoJvms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.help.HelpFormatter;
import org.jspecify.annotations.Nullable;

/** {@code karmi-bench rmi}: its options, and what comes out. */
final class RmiCommand {
  private static final String TITLE = "RMI between two JVMs: Table 3 of the KaRMI paper";

  /** The rows of the paper's table 3, and large arrays. */
  private static final List<String> TABLE_3 =
      List.of(
          "ping()",
          "ping(int, int)",
          "ping(32 int)",
          "ping(4 int, 2 null)",
          "ping(tree(15))",
          "ping(float[50])",
          "ping(float[5000])",
          "ping(byte[20000])",
          "hamming");

  private static final List<String> SHORT =
      List.of("ping()", "ping(32 int)", "ping(float[5000])", "hamming");

  private static final Options OPTIONS =
      new Options()
          .addOption(option("help", null, "this text"))
          .addOption(option("short", null, "few kernels, few rounds"))
          .addOption(option("all", null, "every payload of the paper"))
          .addOption(option("kernels", "NAMES", "only these, separated by semicolons"))
          .addOption(option("stacks", "NAMES", "only these of " + stackNames()))
          .addOption(option("peers", null, "also Dirmi and a raw socket, as without --short"))
          .addOption(
              option(
                  "threads",
                  "NUMBERS",
                  "how many clients call at once, separated by commas (default 1,2,4,16, with --short 1)"))
          .addOption(
              option(
                  "rounds",
                  "N",
                  "how often each kernel is measured on each stack, in turn (default 9)"))
          .addOption(
              option("warm-up", "MS", "per kernel and stack, before the first round (default 400)"))
          .addOption(option("measure", "MS", "per kernel, stack and round (default 100)"))
          .addOption(option("budget", "S", "begin no round that would not end in so many seconds"))
          .addOption(option("json", "FILE", "write the table as JSON; - for standard output"))
          .addOption(option("html", "FILE", "write a page with a picture, and the picture beside"));

  private RmiCommand() {}

  /** Runs the command; returns its exit status. */
  static int run(String[] args) throws InterruptedException {
    try {
      CommandLine line = new DefaultParser().parse(OPTIONS, args);
      if (line.hasOption("help")) {
        printHelp();
        return 0;
      }
      if (!line.getArgList().isEmpty()) {
        throw new ParseException("unexpected " + line.getArgList().get(0));
      }
      measure(line, plan(line));
      return 0;
    } catch (ParseException e) {
      System.err.println("karmi-bench rmi: " + e.getMessage() + " (see --help)");
      return 2;
    } catch (IOException e) {
      System.err.println("karmi-bench rmi: " + e.getMessage());
      return 1;
    }
  }

  private static void measure(CommandLine line, RmiBenchmark.Plan plan)
      throws IOException, InterruptedException {
    TwoJvms.Place place =
        new TwoJvms.Place(karmiHome(), Path.of("target", "report", "logs"), programs());
    Map<Stack, List<Measurement>> measured =
        new RmiBenchmark(plan, place, text -> System.err.println("karmi-bench rmi: " + text)).run();
    Report report = Report.of(TITLE, measured);
    String json = line.getOptionValue("json", "");
    (json.equals("-") ? System.err : System.out).print(TextTable.of(report));
    if (!json.isEmpty()) {
      JsonFile.write(report, json);
    }
    if (line.hasOption("html")) {
      Path page = Path.of(line.getOptionValue("html"));
      HtmlPage.write(report, page);
      System.err.println("karmi-bench rmi: the same with a picture: " + page);
    }
  }

  private static RmiBenchmark.Plan plan(CommandLine line) throws ParseException {
    boolean brief = line.hasOption("short");
    return new RmiBenchmark.Plan(
        stacks(line),
        threaded(kernels(line), line),
        number(line, "rounds", brief ? 5 : 9),
        number(line, "warm-up", 400),
        number(line, "measure", 100),
        number(line, "budget", 86_400));
  }

  private static List<Stack> stacks(CommandLine line) throws ParseException {
    if (!line.hasOption("stacks")) {
      boolean peers = line.hasOption("peers") || !line.hasOption("short");
      return peers ? List.of(Stack.values()) : Stack.ofThePaper();
    }
    List<Stack> stacks = new ArrayList<>();
    for (String name : line.getOptionValue("stacks").split(",")) {
      stacks.add(
          Arrays.stream(Stack.values())
              .filter(stack -> optionName(stack).equals(name.strip()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new ParseException("no stack is called " + name + ", only " + stackNames())));
    }
    return stacks.stream().sorted().toList();
  }

  private static List<String> kernels(CommandLine line) {
    if (line.hasOption("kernels")) {
      return Stream.of(line.getOptionValue("kernels").split(";")).map(String::strip).toList();
    }
    if (line.hasOption("all")) {
      Stream<String> payloads =
          Arrays.stream(Payload.values()).map(payload -> "ping(" + payload.title() + ")");
      return Stream.of(Stream.of("ping()", "ping(int, int)"), payloads, Stream.of("hamming"))
          .flatMap(names -> names)
          .toList();
    }
    return line.hasOption("short") ? SHORT : TABLE_3;
  }

  /** Each kernel that pings once per number of threads; Hamming's problem has its own threads. */
  private static List<String> threaded(List<String> kernels, CommandLine line)
      throws ParseException {
    String threads = line.getOptionValue("threads", line.hasOption("short") ? "1" : "1,2,4,16");
    if (!threads.matches("[1-9]\\d{0,2}(,[1-9]\\d{0,2})*")) {
      throw new ParseException("--threads are numbers separated by commas, not " + threads);
    }
    List<String> all = new ArrayList<>();
    for (String kernel : kernels) {
      for (String number : threads.split(",")) {
        if (number.equals("1")) {
          all.add(kernel);
        } else if (kernel.startsWith("ping(")) {
          all.add(kernel + " x" + number);
        }
      }
    }
    return all;
  }

  private static int number(CommandLine line, String name, int otherwise) throws ParseException {
    String value = line.getOptionValue(name, Integer.toString(otherwise));
    if (!value.matches("[1-9]\\d{0,6}")) {
      throw new ParseException("--" + name + " is a number from 1 on, not " + value);
    }
    return Integer.parseInt(value);
  }

  private static Path karmiHome() throws IOException {
    String home = System.getProperty("karmi.home");
    if (home == null) {
      throw new IOException("start it with the command karmi-bench: karmi.home is not set");
    }
    return Path.of(home);
  }

  private static Path programs() {
    try {
      return Path.of(
          KernelServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void printHelp() {
    try {
      HelpFormatter.builder()
          .setShowSince(false)
          .get()
          .printHelp(
              "karmi-bench rmi [options]",
              "Measures calls between two JVMs; checks every result first.",
              OPTIONS,
              "",
              false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String stackNames() {
    return Arrays.stream(Stack.values())
        .map(RmiCommand::optionName)
        .collect(Collectors.joining(", "));
  }

  private static String optionName(Stack stack) {
    return stack.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Option option(String name, @Nullable String value, String text) {
    return Option.builder().longOpt(name).hasArg(value != null).argName(value).desc(text).get();
  }
}
