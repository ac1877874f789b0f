package io.karmi.benchmarks.report;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLStreamException;

/** A {@link Report} as one file: picture, table, and where it was measured. */
public final class HtmlPage {
  private static final String STYLE =
      """
      body { font-family: system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
      svg { max-width: 100%; height: auto }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums }
      th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #ddd }
      th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left }
      tr.stock td { border-top: 2px solid #999 }
      """;

  private HtmlPage() {}

  /** Writes the page, and beside it the picture alone, as {@code .svg}. */
  public static void write(Report report, Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try {
      Files.writeString(file, page(report));
      Files.writeString(
          file.resolveSibling(file.getFileName().toString().replaceFirst("(\\.html)?$", ".svg")),
          picture(report));
    } catch (XMLStreamException e) {
      throw new IOException("cannot write " + file, e);
    }
  }

  private static String picture(Report report) throws XMLStreamException {
    StringWriter text = new StringWriter();
    Markup svg = new Markup(text);
    new BarChart(report).write(svg);
    svg.flush();
    return text.toString();
  }

  private static String page(Report report) throws XMLStreamException {
    StringWriter text = new StringWriter();
    text.write("<!DOCTYPE html>\n");
    Markup html = new Markup(text);
    html.open("html", "lang", "en").open("head");
    html.open("meta", "charset", "utf-8").close();
    html.element("title", report.title()).element("style", STYLE).close();
    html.open("body").element("h1", report.title());
    html.element(
        "p",
        report.machine()
            + "; a calm round, of the calmest eighth of "
            + report.rounds()
            + ", processors kept awake");
    new BarChart(report).write(html);
    writeTable(html, report);
    html.element(
        "p",
        "Time and bytes are per call. The floor is a raw socket that carries as many bytes as KaRMI."
            + " Allocated: by client and server together. On the wire: both"
            + " directions, as the operating system counts them.");
    html.close().close().flush();
    return text.toString();
  }

  private static void writeTable(Markup html, Report report) throws XMLStreamException {
    html.open("table").open("tr");
    for (String head :
        List.of(
            "kernel",
            "stack",
            "median µs",
            "p99 µs",
            "saved",
            "× floor",
            "allocated B",
            "wire B")) {
      html.element("th", head);
    }
    html.close();
    for (Report.Row row : report.rows()) {
      boolean stock = row.stack().equals(report.stacks().get(0));
      html.open("tr", "class", stock ? "stock" : "other");
      for (String cell :
          List.of(
              row.kernel(),
              row.stack(),
              String.format(Locale.ROOT, "%.1f", row.medianMicros()),
              String.format(Locale.ROOT, "%.1f", row.p99Micros()),
              stock ? "" : TextTable.percent(row.savedPercent()),
              TextTable.times(row.timesFloor()),
              TextTable.bytes(row.allocatedBytes()),
              TextTable.bytes(row.wireBytes()))) {
        html.element("td", cell);
      }
      html.close();
    }
    html.close();
  }
}
