package io.karmi.benchmarks.report;

import io.karmi.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One page for one or several runs, and each picture beside it as a file.
 *
 * <p>A page holds each picture in four looks: for light and dark, wide and narrow windows. Its
 * style shows one of them.
 */
public final class HtmlReport {
  private HtmlReport() {}

  /** A picture on the page. */
  public record Figure(String caption, List<Look> looks) {
    /** One look of it: the style's class, and the picture. */
    public record Look(String style, String svg) {}
  }

  /** A run on the page. */
  public record Part(Section section, List<Figure> figures) {}

  /**
   * Writes {@code file}, and the pictures beside it: those of the first run as {@code
   * figure-4.svg}, {@code figure-4-dark.svg} and so on, those of the second with {@code run-2-}
   * before the name.
   */
  public static void write(List<Results> runs, Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Section section = new Section(runs.get(i));
      parts.add(new Part(section, figures(section, i)));
      writeFiles(section, i == 0 ? "" : "run-" + (i + 1) + "-", file);
    }
    Files.writeString(file, Templates.fill("report.ftlh", Map.of("parts", parts)));
  }

  private static List<Figure> figures(Section section, int run) {
    List<Figure> figures = new ArrayList<>();
    for (Picture picture : section.pictures()) {
      List<Figure.Look> looks = new ArrayList<>();
      for (Look look : Look.all()) {
        String id = "r" + run + "-" + picture.name() + "-" + look.name().replace(' ', '-');
        looks.add(new Figure.Look(look.name(), picture.svg(look, id)));
      }
      figures.add(new Figure(picture.caption(), looks));
    }
    return figures;
  }

  private static void writeFiles(Section section, String prefix, Path page) throws IOException {
    for (Picture picture : section.pictures()) {
      Path light = page.resolveSibling(prefix + picture.name() + ".svg");
      Path dark = page.resolveSibling(prefix + picture.name() + "-dark.svg");
      Files.writeString(light, picture.svg(Look.LIGHT, "light"));
      Files.writeString(dark, picture.svg(Look.DARK, "dark"));
    }
  }
}
