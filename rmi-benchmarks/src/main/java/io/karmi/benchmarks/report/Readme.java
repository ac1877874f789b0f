package io.karmi.benchmarks.report;

import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.stacks.Constellations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The measured part of a text in Markdown: a table with a column per run, the paper's medians
 * beside, and pictures of the first run. What is not between the two marks stays as it is.
 */
public final class Readme {
  private static final String BEGIN = "<!-- measured:";
  private static final String END = "<!-- end of what was measured -->";

  /** Those of the report that a reader sees first. */
  private static final List<String> PICTURES = List.of("figure-4", "figure-5", "table-3");

  private final Path file;
  private final Path pictures;
  private final List<Section> sections = new ArrayList<>();
  private final Results first;

  /** Kernels whose times are shown one by one. */
  private static final List<String> KERNELS =
      List.of("ping()", "ping(tree(15))", "ping(float[5000])");

  /** A row of the first table: a stack, its configuration, a cell per run, the paper's median. */
  public record Saving(String stack, String configuration, List<String> cells, String paper) {}

  /** A row of the second table: the median microseconds of one call in one run, on each stack. */
  public record Call(String kernel, Section section, String rmi, String karmi, String socket) {}

  /**
   * @param runs of calls, not of serialization; at least one
   * @param pictures a folder at or below that of the file
   */
  public Readme(Path file, Path pictures, List<Results> runs) {
    this.file = file;
    this.pictures = pictures;
    first = runs.get(0);
    runs.forEach(run -> sections.add(new Section(run)));
  }

  /**
   * Fills the file in, and copies the pictures that lie beside the page of the same runs.
   *
   * @throws IOException if the file has no place for it
   */
  public void fill(Path page) throws IOException {
    String text = Files.readString(file);
    int begin = text.indexOf(BEGIN);
    int from = begin < 0 ? -1 : text.indexOf('\n', begin) + 1;
    int to = text.indexOf(END);
    if (from <= 0 || to < from) {
      throw new IOException(
          file + " has no lines that begin with " + BEGIN + " and " + END + ", in this order");
    }
    Files.createDirectories(pictures);
    List<String> shown = new ArrayList<>();
    for (String picture : PICTURES) {
      if (Files.exists(page.resolveSibling(picture + ".svg"))) {
        copy(page, picture + ".svg");
        copy(page, picture + "-dark.svg");
        shown.add(picture);
      }
    }
    Files.writeString(file, text.substring(0, from) + block(shown) + text.substring(to));
  }

  private void copy(Path page, String name) throws IOException {
    Files.copy(
        page.resolveSibling(name), pictures.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private String block(List<String> shown) throws IOException {
    Path page = file.toAbsolutePath().normalize();
    String path =
        page.resolveSibling("").relativize(pictures.toAbsolutePath().normalize()).toString();
    Map<String, Object> model = new LinkedHashMap<>();
    model.put("sections", sections);
    model.put("savings", savings());
    model.put("calls", calls());
    model.put("measured", measured());
    model.put("collection", Constellations.all().size());
    model.put("ofThePaper", sections.stream().allMatch(Section::hasAllOfThePaper));
    model.put("rounds", rounds());
    model.put("pictures", shown);
    model.put("folder", path.replace('\\', '/'));
    return Templates.fill("readme.ftl", model);
  }

  /** How much of the collection the runs have: a number if all have the same, else one for each. */
  private String measured() {
    List<String> numbers =
        sections.stream().map(section -> String.valueOf(section.ofTheCollection())).toList();
    return numbers.stream().distinct().count() == 1 ? numbers.get(0) : String.join(", ", numbers);
  }

  /** The least and the most rounds of a cell of all runs; one number if they are the same. */
  private String rounds() {
    IntSummaryStatistics rounds =
        sections.stream().flatMapToInt(Section::rounds).summaryStatistics();
    return rounds.getMin() == rounds.getMax()
        ? String.valueOf(rounds.getMin())
        : rounds.getMin() + " to " + rounds.getMax();
  }

  /** The medians, of each stack that any of the runs has. */
  private List<Saving> savings() {
    List<Saving> rows = new ArrayList<>();
    List<Results.StackRow> stacks = new ArrayList<>(first.contestants());
    first.subject().ifPresent(subject -> stacks.removeIf(subject::equals));
    first.subject().ifPresent(subject -> stacks.add(0, subject));
    for (Results.StackRow stack : stacks) {
      List<String> cells = new ArrayList<>();
      String paper = "";
      for (Section section : sections) {
        Optional<Section.Saving> saving =
            section.getSavings().stream()
                .filter(each -> each.title().equals(stack.title()))
                .findFirst();
        cells.add(saving.map(each -> each.median() + " (" + each.of() + ")").orElse("–"));
        paper = saving.map(Section.Saving::paper).orElse(paper);
      }
      rows.add(new Saving(stack.title(), stack.configuration(), cells, paper));
    }
    return rows;
  }

  private List<Call> calls() {
    List<Call> calls = new ArrayList<>();
    for (String kernel : KERNELS) {
      for (Section section : sections) {
        calls.add(
            new Call(
                kernel,
                section,
                section.micros(kernel, "rmi"),
                section.micros(kernel, "karmi"),
                section.micros(kernel, "socket")));
      }
    }
    return calls;
  }
}
