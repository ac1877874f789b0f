package io.karmi.benchmarks;

import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.payloads.PayloadFactory;
import io.karmi.benchmarks.stacks.Hosts;
import io.karmi.benchmarks.stacks.Place;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** The options of {@code karmi-bench rmi}. */
final class RmiOptions {
  /** The help, as it is printed. */
  static final String HELP =
      """
      usage: karmi-bench rmi [options]

      Measures calls between JVMs; checks every result first. A kernel is ping(), ping(int, int),
      ping(int, int, float, float); ping(X), void ping(X), pingpong(X), void pingpong(X), star(X) from N
      with a payload X such as tree(15); ping() x16, sporadic ping(), fresh ping(); hamming, paraffins or
      sor, also on N workers.

        --help                 this text
        --short                few kernels on the paper's four stacks
        --quick                every picture of the report in less than 5 minutes
        --kernels NAMES        only these, separated by semicolons, or
                               [all|constellations|payloads|quick|table3]. Constellations are the paper's:
                               each kernel for each payload, and the applications; payloads are all
                               without further stars and workers, quick are those of --quick
        --stacks NAMES         only these of [rmi, rmi-uka, karmi-jdk, karmi-uka, karmi-uds, karmi-shm,
                               karmi-ucx, karmi, dirmi, grpc, socket]
        --technology NAMES     KaRMI on these of [tcp, uds, shm, ucx], beside stock RMI, TCP and a socket;
                               or all that are there
        --forks N              how often the JVMs are started for each kernel (default 3)
        --rounds N             rounds per fork, in each the stacks in turn (default 5)
        --warm-up MS           per kernel, stack and fork; longer until times are stable (default 400)
        --settle MS            per stack, before each twelve kernels, so that the system has placed its
                               threads (default 400)
        --measure MS           per kernel, stack and round (default 100)
        --budget S             begin no round that would not end within S seconds
        --json FILE            the results; a run that was stopped goes on with its file (default
                               target/report/rmi.json; - for standard output)
        --afresh               measure again what the file has already
        --brief                print the medians alone, without the kernels
        --processors STATE     [awake|asleep]: kept from sleeping between two messages (default), or left
                               alone
        --html FILE            the report (default index.html beside the results)
        --payloads CLASSES     further payload factories, separated by commas
        --class-path PATH      where the payload factories are
        --jvm-options WORDS    for each JVM that is measured, in one argument
        --hosts NAMES          start the JVMs on these hosts, the server of a star and the master on the
                               first; name=address where the name is no address
        --remote-shell WORDS   how to get there (default: ssh -o BatchMode=yes {host} {command})""";

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
}
