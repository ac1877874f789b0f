package io.karmi.pages;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes {@code man/man1} and {@code completion} of all commands. */
public final class Pages {
  /** Commands that are Java programs, by the class. {@code karmi-java} is a script. */
  private static final Map<String, String> PROGRAMS =
      new TreeMap<>(
          Map.of(
              "karmi-retrofit", "io.karmi.retrofit.cli.KarmiRetrofit",
              "karmi-registry", "io.karmi.registry.KarmiRegistry",
              "karmi-exchange", "io.karmi.exchange.server.KarmiExchange",
              "karmic", "io.karmi.stubgen.cli.Karmic",
              "karmi-bench", "io.karmi.benchmarks.KarmiBench"));

  private Pages() {}

  /**
   * Makes them.
   *
   * @param arguments the folder of the scripts, and that of the output
   */
  public static void main(String[] arguments) throws Exception {
    Path scripts = Path.of(arguments[0]);
    Path output = Path.of(arguments[1]);
    List<Help> all = new ArrayList<>();
    all.add(Help.of("karmi-java", comment(scripts.resolve("karmi-java"))));
    Map<String, Process> running = new LinkedHashMap<>();
    for (Map.Entry<String, String> each : PROGRAMS.entrySet()) {
      running.put(each.getKey(), help(each.getValue()));
    }
    for (Map.Entry<String, Process> each : running.entrySet()) {
      all.add(Help.of(each.getKey(), text(each.getValue())));
    }
    all.addAll(below(all));
    write(output, all);
  }

  /** The commands of karmi-bench. */
  private static List<Help> below(List<Help> all) throws Exception {
    Map<String, Process> running = new LinkedHashMap<>();
    for (Help each : all) {
      for (String command : each.commands()) {
        running.put(each.name() + " " + command, help(PROGRAMS.get(each.name()), command));
      }
    }
    List<Help> below = new ArrayList<>();
    for (Map.Entry<String, Process> each : running.entrySet()) {
      below.add(Help.of(each.getKey(), text(each.getValue())));
    }
    return below;
  }

  private static Process help(String main, String... command) throws IOException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    line.add(main);
    line.addAll(List.of(command));
    line.add("--help");
    return new ProcessBuilder(line).redirectErrorStream(true).start();
  }

  private static String text(Process process) throws IOException, InterruptedException {
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("no help: " + text);
    }
    return text;
  }

  /** The comment at the top of a script, which is its help. */
  private static String comment(Path script) throws IOException {
    return Files.readAllLines(script).stream()
        .skip(1)
        .takeWhile(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^# ?", ""))
        .collect(Collectors.joining("\n"));
  }

  private static void write(Path output, List<Help> all) throws IOException {
    Path manuals = Files.createDirectories(output.resolve("man").resolve("man1"));
    for (Help each : all) {
      if (!each.name().contains(" ")) {
        List<Help> parts =
            all.stream().filter(part -> part.name().startsWith(each.name() + " ")).toList();
        Files.writeString(manuals.resolve(each.name() + ".1"), Manual.of(each, parts));
      }
    }
    Path completion = Files.createDirectories(output.resolve("completion"));
    Files.writeString(completion.resolve("karmi.bash"), Completion.bash(all));
    Files.writeString(completion.resolve("_karmi"), Completion.zsh(all));
  }
}
