package io.karmi.benchmarks.report;

import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.Statistics;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.annotations.XYBoxAnnotation;
import org.jfree.chart.annotations.XYLineAnnotation;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/**
 * The paper's figure 4: for each stack a row with a circle per kernel, which is the percentage of
 * time saved; the box holds the middle half, the dot is the median, M the mean, and the whiskers
 * end at the 0.1 and 0.9 quantiles.
 */
final class SavedBoxes extends Picture {
  private static final int ROW = 62;
  private static final int AROUND = 80;
  private static final double BOX = 0.3;
  private static final double WHISKER = 0.18;

  /** The mean's letter stands below the box: it is often where the median is. */
  private static final double MEAN = 0.42;

  private static final double LEAST = -100;

  /** Percent beside the outermost values: half a letter, in a narrow picture. */
  private static final double EDGE = 6;

  private static final BasicStroke CIRCLE = new BasicStroke(1.5f);

  private final Results results;
  private final List<Results.StackRow> rows = new ArrayList<>();

  SavedBoxes(Results results) {
    super(
        "figure-4",
        "Figure 4: percentage of "
            + results.reference().title()
            + "'s time saved, one circle per constellation. The box holds the middle half, the dot is"
            + " the median, M the mean; whiskers end at the 0.1 and 0.9 quantiles. Circles at the left"
            + " edge lie beyond it.");
    this.results = results;
    for (Results.StackRow stack : results.contestants()) {
      if (results.savedPercents(stack.name()).length > 0) {
        rows.add(stack);
      }
    }
    /* The axis counts upwards. */
    Collections.reverse(rows);
  }

  @Override
  boolean isEmpty() {
    return rows.isEmpty();
  }

  @Override
  int height(Look look) {
    return AROUND + rows.size() * ROW;
  }

  @Override
  JFreeChart chart(Look look) {
    XYSeriesCollection circles = new XYSeriesCollection();
    XYSeriesCollection medians = new XYSeriesCollection();
    XYLineAndShapeRenderer hollow = new XYLineAndShapeRenderer(false, true);
    hollow.setDefaultOutlineStroke(CIRCLE);
    XYLineAndShapeRenderer dots = new XYLineAndShapeRenderer(false, true);
    NumberAxis saved = new NumberAxis("time saved, %");
    saved.setRange(Math.min(-20, least()) - EDGE, 100 + EDGE);
    SymbolAxis stacks =
        new SymbolAxis(null, rows.stream().map(Results.StackRow::title).toArray(String[]::new));
    stacks.setGridBandsVisible(false);
    XYPlot plot = new XYPlot(circles, saved, stacks, hollow);
    plot.setDataset(1, medians);
    plot.setRenderer(1, dots);
    plot.setRangeGridlinesVisible(false);
    plot.addDomainMarker(new ValueMarker(0, look.text(), Look.THIN), Layer.BACKGROUND);
    for (int i = 0; i < rows.size(); i++) {
      double[] values = values(rows.get(i));
      Color colour = look.series(results.stacks().indexOf(rows.get(i)));
      circles.addSeries(circles(i, values));
      hollow.setSeriesShape(i, new Ellipse2D.Double(-3, -3, 6, 6));
      hollow.setSeriesShapesFilled(i, false);
      hollow.setSeriesPaint(i, colour);
      XYSeries median = new XYSeries("median " + i);
      median.add(Statistics.quantile(values, 0.5), i);
      medians.addSeries(median);
      dots.setSeriesShape(i, new Ellipse2D.Double(-5, -5, 10, 10));
      dots.setSeriesPaint(i, look.text());
      double mean = Statistics.mean(results.savedPercents(rows.get(i).name()));
      addBox(plot, hollow, look, colour, values, mean, i);
    }
    return new JFreeChart(null, look.font(), plot, false);
  }

  /** Side by side in three lines above the box, so that equal values can be told apart. */
  private static XYSeries circles(int row, double[] values) {
    XYSeries series = new XYSeries("stack " + row, false, true);
    for (int i = 0; i < values.length; i++) {
      series.add(values[i], row + (i % 5 - 2) * 0.1);
    }
    return series;
  }

  private static void addBox(
      XYPlot plot,
      XYLineAndShapeRenderer renderer,
      Look look,
      Color colour,
      double[] values,
      double mean,
      double row) {
    double low = Statistics.quantile(values, 0.25);
    double high = Statistics.quantile(values, 0.75);
    double least = Statistics.quantile(values, 0.1);
    double most = Statistics.quantile(values, 0.9);
    Color fill = new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), 50);
    BasicStroke line = new BasicStroke(1.4f);
    renderer.addAnnotation(
        new XYBoxAnnotation(low, row - BOX, high, row + BOX, line, look.text(), fill),
        Layer.BACKGROUND);
    plot.addAnnotation(new XYLineAnnotation(least, row, low, row, line, look.text()));
    plot.addAnnotation(new XYLineAnnotation(high, row, most, row, line, look.text()));
    for (double end : new double[] {least, most}) {
      plot.addAnnotation(
          new XYLineAnnotation(end, row - WHISKER, end, row + WHISKER, line, look.text()));
    }
    XYTextAnnotation letter = new XYTextAnnotation("M", Math.max(LEAST, mean), row - MEAN);
    letter.setFont(look.font());
    letter.setPaint(look.text());
    plot.addAnnotation(letter);
  }

  private double least() {
    return rows.stream()
        .map(this::values)
        .mapToDouble(values -> Statistics.rank(values, 0))
        .min()
        .orElse(0);
  }

  private double[] values(Results.StackRow stack) {
    double[] values = results.savedPercents(stack.name());
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.max(LEAST, values[i]);
    }
    return values;
  }
}
