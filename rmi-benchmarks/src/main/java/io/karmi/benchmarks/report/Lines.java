package io.karmi.benchmarks.report;

import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogarithmicAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** A picture of lines over evenly spaced values: array sizes, percentiles or numbers of workers. */
final class Lines extends Picture {
  private static final int HEIGHT = 340;
  private static final int PER_LEGEND_LINE = 22;

  /** A line of the picture: its colour's index, and its values. */
  private record Line(int colour, Map<String, Double> values) {}

  private final String across;
  private final String upwards;
  private final boolean logarithmic;
  private final List<String> ticks;
  private final Map<String, Line> lines = new LinkedHashMap<>();

  /**
   * @param ticks the values on the horizontal axis, in their order
   * @param logarithmic whether the vertical axis is
   */
  Lines(
      String name,
      String caption,
      String across,
      String upwards,
      boolean logarithmic,
      List<String> ticks) {
    super(name, caption);
    this.across = across;
    this.upwards = upwards;
    this.logarithmic = logarithmic;
    this.ticks = ticks;
  }

  /** Adds a point to a line. */
  void add(String line, int colour, String tick, double value) {
    lines
        .computeIfAbsent(line, key -> new Line(colour, new LinkedHashMap<>()))
        .values()
        .put(tick, value);
  }

  @Override
  boolean isEmpty() {
    return lines.values().stream().noneMatch(line -> line.values().size() > 1);
  }

  @Override
  int height(Look look) {
    int columns = look.isNarrow() ? 2 : 5;
    return HEIGHT + PER_LEGEND_LINE * ((lines.size() + columns - 1) / columns);
  }

  @Override
  JFreeChart chart(Look look) {
    XYSeriesCollection data = new XYSeriesCollection();
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer(true, true);
    lines.forEach(
        (name, line) -> {
          XYSeries series = new XYSeries(name);
          line.values().forEach((tick, value) -> series.add(ticks.indexOf(tick), value));
          int index = data.getSeriesCount();
          data.addSeries(series);
          Color colour = look.series(line.colour());
          renderer.setSeriesPaint(index, colour);
          renderer.setSeriesStroke(index, Look.LINE);
          renderer.setSeriesShape(index, new Ellipse2D.Double(-3, -3, 6, 6));
        });
    SymbolAxis horizontal = new SymbolAxis(across, ticks.toArray(String[]::new));
    horizontal.setGridBandsVisible(false);
    horizontal.setRange(-0.3, ticks.size() - 0.7);
    XYPlot plot = new XYPlot(data, horizontal, vertical(), renderer);
    return new JFreeChart(null, look.font(), plot, true);
  }

  private ValueAxis vertical() {
    if (!logarithmic) {
      NumberAxis axis = new NumberAxis(upwards);
      axis.setAutoRangeIncludesZero(true);
      return axis;
    }
    LogarithmicAxis axis = new LogarithmicAxis(upwards);
    axis.setExpTickLabelsFlag(false);
    axis.setAutoRangeNextLogFlag(false);
    TreeSet<Double> all = new TreeSet<>();
    lines.values().forEach(line -> all.addAll(line.values().values()));
    axis.setRange(all.first() / 1.3, all.last() * 1.3);
    return axis;
  }
}
