package io.karmi.benchmarks;

import static io.karmi.benchmarks.options.OptionsHelp.option;

import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.options.OptionsHelp;
import io.karmi.benchmarks.payloads.PayloadFactory;
import io.karmi.benchmarks.stacks.Hosts;
import io.karmi.benchmarks.stacks.Place;
import io.karmi.benchmarks.stacks.Stack;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** The options of {@code karmi-bench rmi}. */
final class RmiOptions {
  static final Options ALL =
      new Options()
          .addOption(option("help", null, "this text"))
          .addOption(option("short", null, "few kernels on the paper's four stacks"))
          .addOption(option("quick", null, "every picture of the report in less than 5 minutes"))
          .addOption(
              option(
                  "kernels",
                  "NAMES",
                  "only these, separated by semicolons, or"
                      + " [all|constellations|payloads|quick|table3]. Constellations are the paper's:"
                      + " each kernel for each payload, and the applications; payloads are all"
                      + " without further stars and workers, quick are those of --quick"))
          .addOption(
              option(
                  "stacks",
                  "NAMES",
                  "only these of " + Arrays.stream(Stack.values()).map(Stack::optionName).toList()))
          .addOption(
              option(
                  "technology",
                  "NAMES",
                  "KaRMI on these of [tcp, uds, shm, ucx], beside stock RMI, TCP and a"
                      + " socket; or all that are there"))
          .addOption(
              option("forks", "N", "how often the JVMs are started for each kernel (default 3)"))
          .addOption(
              option("rounds", "N", "rounds per fork, in each the stacks in turn (default 5)"))
          .addOption(
              option(
                  "warm-up",
                  "MS",
                  "per kernel, stack and fork; longer until times are stable (default 400)"))
          .addOption(
              option(
                  "settle",
                  "MS",
                  "per stack, before each twelve kernels, so that the system has placed its"
                      + " threads (default 400)"))
          .addOption(option("measure", "MS", "per kernel, stack and round (default 100)"))
          .addOption(option("budget", "S", "begin no round that would not end within S seconds"))
          .addOption(
              option(
                  "json",
                  "FILE",
                  "the results; a run that was stopped goes on with its file (default"
                      + " target/report/rmi.json; - for standard output)"))
          .addOption(option("afresh", null, "measure again what the file has already"))
          .addOption(option("brief", null, "print the medians alone, without the kernels"))
          .addOption(
              option(
                  "processors",
                  "STATE",
                  "[awake|asleep]: kept from sleeping between two messages (default), or left alone"))
          .addOption(option("html", "FILE", "the report (default index.html beside the results)"))
          .addOption(
              option("payloads", "CLASSES", "further payload factories, separated by commas"))
          .addOption(option("class-path", "PATH", "where the payload factories are"))
          .addOption(
              option("jvm-options", "WORDS", "for each JVM that is measured, in one argument"))
          .addOption(
              option(
                  "hosts",
                  "NAMES",
                  "start the JVMs on these hosts, the server of a star and the master on the first;"
                      + " name=address where the name is no address"))
          .addOption(
              option("remote-shell", "WORDS", "how to get there (default: " + Hosts.SSH + ")"));

  private RmiOptions() {}

  static Place place(CommandLine line) throws IOException {
    List<Path> programs = new ArrayList<>(List.of(programs()));
    programs.addAll(classPath(line));
    Hosts hosts =
        line.hasOption("hosts")
            ? Hosts.parse(
                line.getOptionValue("hosts"), line.getOptionValue("remote-shell", Hosts.SSH))
            : Hosts.local();
    return new Place(
        Child.karmiHome(),
        Path.of("target", "report", "logs"),
        programs,
        words(line, "payloads", ","),
        words(line, "jvm-options", "\\s+"),
        hosts);
  }

  /** The titles of the payloads that the user adds. */
  static List<String> payloadTitles(CommandLine line) throws ParseException, IOException {
    List<String> titles = new ArrayList<>();
    URL[] urls = new URL[classPath(line).size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = classPath(line).get(i).toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(urls, PayloadFactory.class.getClassLoader())) {
      for (String name : words(line, "payloads", ",")) {
        Object factory = loader.loadClass(name).getConstructor().newInstance();
        titles.add(((PayloadFactory) factory).title());
      }
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new ParseException("--payloads: not a PayloadFactory with a public constructor: " + e);
    }
    return titles;
  }

  private static List<Path> classPath(CommandLine line) {
    return words(line, "class-path", System.getProperty("path.separator")).stream()
        .map(Path::of)
        .toList();
  }

  private static List<String> words(CommandLine line, String option, String separator) {
    return Stream.of(line.getOptionValue(option, "").split(separator))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private static Path programs() {
    try {
      return Path.of(
          KernelServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The help, as it is printed. */
  static String help() {
    return OptionsHelp.of(
        "karmi-bench rmi [options]",
        "Measures calls between JVMs; checks every result first. A kernel is ping(), ping(int, int),"
            + " ping(int, int, float, float); ping(X), void ping(X), pingpong(X), void pingpong(X),"
            + " star(X) from N with a payload X such as tree(15); ping() x16, sporadic ping(), fresh"
            + " ping(); hamming, paraffins or sor, also on N workers.",
        ALL);
  }
}
