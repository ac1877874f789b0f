package io.karmi.benchmarks.report;

import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLStreamException;

/**
 * The picture of a {@link Report}, as SVG: for each kernel a bar per stack, as long as its share of
 * stock RMI's median time. Shorter is better; the number behind a bar is microseconds per call.
 */
final class BarChart {
  private static final List<String> COLOURS = List.of("#8c8c8c", "#e69f00", "#56b4e9", "#009e73");
  private static final int LEFT = 130;
  private static final int FULL = 520;
  private static final int WIDTH = LEFT + FULL + 190;
  private static final int TOP = 60;
  private static final int BAR = 13;
  private static final int GAP = 12;

  /** Bars end here, in units of stock's time: a stack that is slower still has its number. */
  private static final double LONGEST = 1.25;

  private final Report report;

  BarChart(Report report) {
    this.report = report;
  }

  void write(Markup svg) throws XMLStreamException {
    int group = report.stacks().size() * BAR + GAP;
    int height = TOP + report.kernels().size() * group + 10;
    svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 " + WIDTH + " " + height,
        "width",
        WIDTH,
        "height",
        height,
        "role",
        "img",
        "font-family",
        "system-ui, sans-serif",
        "font-size",
        12);
    svg.element("title", report.title());
    svg.open("rect", "width", WIDTH, "height", height, "fill", "#ffffff").close();
    writeLegend(svg);
    int y = TOP;
    for (String kernel : report.kernels()) {
      writeKernel(svg, kernel, y);
      y += group;
    }
    double stock = LEFT + FULL / LONGEST;
    svg.open(
        "line", "x1", stock, "x2", stock, "y1", TOP - 6, "y2", height - 10, "stroke", "#555555");
    svg.close().close();
  }

  private void writeLegend(Markup svg) throws XMLStreamException {
    svg.element(
        "text",
        "time per call, as a share of stock RMI's (line); the numbers are microseconds, median",
        "x",
        LEFT,
        "y",
        18);
    int x = LEFT;
    for (String stack : report.stacks()) {
      svg.open("rect", "x", x, "y", 30, "width", BAR, "height", BAR, "fill", colour(stack)).close();
      svg.element("text", stack, "x", x + BAR + 5, "y", 41);
      x += 130;
    }
  }

  private void writeKernel(Markup svg, String kernel, int top) throws XMLStreamException {
    List<Report.Row> rows = report.rowsOf(kernel);
    double stock = rows.get(0).medianMicros();
    svg.element(
        "text",
        kernel,
        "x",
        LEFT - 8,
        "y",
        top + rows.size() * BAR / 2.0 + 4,
        "text-anchor",
        "end");
    int y = top;
    for (Report.Row row : rows) {
      double share = Math.min(LONGEST, row.medianMicros() / stock);
      double width = share * FULL / LONGEST;
      svg.open(
          "rect",
          "x",
          LEFT,
          "y",
          y,
          "width",
          width,
          "height",
          BAR - 1,
          "fill",
          colour(row.stack()));
      svg.element("title", row.stack() + ", " + kernel).close();
      svg.element("text", label(row), "x", LEFT + width + 5, "y", y + BAR - 3, "font-size", 11);
      y += BAR;
    }
  }

  private String label(Report.Row row) {
    String micros = String.format(Locale.ROOT, "%.1f", row.medianMicros());
    boolean stock = row.stack().equals(report.stacks().get(0));
    return stock ? micros : micros + " (" + TextTable.percent(row.savedPercent()) + " saved)";
  }

  private String colour(String stack) {
    return COLOURS.get(report.stacks().indexOf(stack) % COLOURS.size());
  }
}
