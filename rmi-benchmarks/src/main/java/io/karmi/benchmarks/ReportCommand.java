package io.karmi.benchmarks;

import io.karmi.benchmarks.options.Subcommand;
import io.karmi.benchmarks.report.Comparison;
import io.karmi.benchmarks.report.HtmlReport;
import io.karmi.benchmarks.report.Readme;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.cli.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench report} and {@code karmi-bench compare}: read files that were measured. */
final class ReportCommand {
  private static final String REPORT_USAGE =
      """
      usage: karmi-bench report [--html=target/report/index.html]
                                [--readme=FILE.md --pictures=FOLDER] [--help] FILE.json ...

      Makes one page of one or several files that rmi and serialization have written, and each picture
      as an SVG file beside it. --readme fills the measured part of a text in Markdown, with a column
      per run and pictures of the first; the pictures are copied to --pictures.""";
  private static final String COMPARE_USAGE =
      """
      usage: karmi-bench compare [--help] OLD.json NEW.json

      Prints the ratio of the times of two files, new by old, with its 95 % confidence.""";

  static final Subcommand REPORT =
      new Subcommand("report", REPORT_USAGE, true, ReportCommand::write);
  static final Subcommand COMPARE =
      new Subcommand("compare", COMPARE_USAGE, true, ReportCommand::compare);

  private ReportCommand() {}

  private static int write(CommandLine line, PrintStream out, PrintStream err)
      throws ParseException, IOException {
    if (line.getArgList().isEmpty()) {
      throw new ParseException("no file is named");
    }
    List<Results> runs = new ArrayList<>();
    for (String file : line.getArgList()) {
      runs.add(ResultsFile.read(Path.of(file)));
    }
    Path page = Path.of(line.getOptionValue("html", "target/report/index.html"));
    HtmlReport.write(runs, page);
    out.println(page);
    if (line.hasOption("readme")) {
      fill(line, runs, page);
      out.println(line.getOptionValue("readme"));
    }
    return Command.DONE;
  }

  private static void fill(CommandLine line, List<Results> runs, Path page)
      throws ParseException, IOException {
    if (!line.hasOption("pictures")) {
      throw new ParseException("--readme needs --pictures, the folder for what it shows");
    }
    if (runs.get(0).isOfSerialization()) {
      throw new ParseException("--readme shows calls: name a file of karmi-bench rmi first");
    }
    List<Results> calls = runs.stream().filter(run -> !run.isOfSerialization()).toList();
    Path pictures = Path.of(line.getOptionValue("pictures"));
    new Readme(Path.of(line.getOptionValue("readme")), pictures, calls).fill(page);
  }

  private static int compare(CommandLine line, PrintStream out, PrintStream err)
      throws ParseException, IOException {
    if (line.getArgList().size() != 2) {
      throw new ParseException("two files are compared, not " + line.getArgList().size());
    }
    Results earlier = ResultsFile.read(Path.of(line.getArgList().get(0)));
    Results later = ResultsFile.read(Path.of(line.getArgList().get(1)));
    out.print(Comparison.of(earlier, later).toText());
    return Command.DONE;
  }
}
