package io.karmi.benchmarks.report;

import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Results;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.font.FontRenderContext;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jfree.chart.ChartRenderingInfo;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DatasetUtils;
import org.jfree.svg.SVGGraphics2D;

/**
 * The rows of table 3 as bars: each stack's time as a share of the reference's, with its
 * microseconds behind it.
 */
final class RelativeTimes extends Picture {
  private static final int BAR = 13;
  private static final int GAP = 14;
  private static final int AROUND = 110;

  /** Pixels between a bar and its numbers, and behind these. */
  private static final int BESIDE_BAR = 5;

  /** Bars end here, in parts of the reference's time: what is slower still has its number. */
  private static final double LONGEST = 1.25;

  private final Results results;
  private final List<String> kernels;
  private final Micros numbers = new Micros();

  RelativeTimes(Results results, List<String> kernels) {
    super(
        "table-3",
        "Time per call, as a share of "
            + results.reference().title()
            + "'s; the numbers are microseconds.");
    this.results = results;
    this.kernels =
        kernels.stream()
            .filter(kernel -> results.cell(kernel, results.reference().name()).isPresent())
            .toList();
  }

  @Override
  boolean isEmpty() {
    return kernels.isEmpty();
  }

  @Override
  int height(Look look) {
    return AROUND + kernels.size() * (stacks().size() * BAR + GAP);
  }

  private List<Results.StackRow> stacks() {
    return results.stacks().stream().filter(stack -> !stack.isFloor()).toList();
  }

  @Override
  JFreeChart chart(Look look) {
    DefaultCategoryDataset shares = new DefaultCategoryDataset();
    BarRenderer renderer = new BarRenderer();
    for (Results.StackRow stack : stacks()) {
      for (String kernel : kernels) {
        double share = micros(kernel, stack) / micros(kernel, results.reference());
        if (!Double.isNaN(share)) {
          shares.addValue(Math.min(LONGEST, share), stack.title(), kernel);
        }
      }
      int row = shares.getRowIndex(stack.title());
      if (row >= 0) {
        renderer.setSeriesPaint(row, look.series(results.stacks().indexOf(stack)));
      }
    }
    renderer.setShadowVisible(false);
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setItemMargin(0);
    renderer.setDefaultItemLabelGenerator(numbers);
    renderer.setDefaultItemLabelsVisible(true);
    renderer.setDefaultItemLabelFont(numbersFont(look));
    renderer.setDefaultItemLabelPaint(look.text());
    renderer.setDefaultPositiveItemLabelPosition(
        new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
    renderer.setItemLabelInsets(
        new RectangleInsets(BESIDE_BAR, BESIDE_BAR, BESIDE_BAR, BESIDE_BAR));
    double longest = Math.max(1, DatasetUtils.findMaximumRangeValue(shares).doubleValue());
    NumberAxis share = new Shares("share of " + results.reference().title() + "'s time", longest);
    share.setRange(0, longest);
    CategoryAxis names = new CategoryAxis();
    names.setMaximumCategoryLabelLines(2);
    names.setCategoryMargin(GAP / (double) (stacks().size() * BAR + GAP));
    CategoryPlot plot = new CategoryPlot(shares, names, share, renderer);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
    JFreeChart chart = new JFreeChart(null, look.font(), plot, true);
    share.setRange(0, end(shares, longest, look, barsWidth(chart, look)));
    return chart;
  }

  private static Font numbersFont(Look look) {
    return look.font().deriveFont(10f);
  }

  /** Pixels from the beginning of the bars to the right edge. */
  private double barsWidth(JFreeChart chart, Look look) {
    ChartRenderingInfo drawn = new ChartRenderingInfo();
    int height = height(look);
    look.dress(chart)
        .draw(new SVGGraphics2D(look.width(), height), new Rectangle(look.width(), height), drawn);
    return drawn.getPlotInfo().getDataArea().getWidth();
  }

  /** Where the axis ends, so that the numbers behind each bar lie on it. */
  private double end(CategoryDataset shares, double longest, Look look, double width) {
    FontRenderContext context = new FontRenderContext(null, true, true);
    double end = longest;
    for (int row = 0; row < shares.getRowCount(); row++) {
      for (int column = 0; column < shares.getColumnCount(); column++) {
        Number bar = shares.getValue(row, column);
        if (bar != null) {
          String text = numbers.generateLabel(shares, row, column);
          double behind =
              numbersFont(look).getStringBounds(text, context).getWidth() + 2 * BESIDE_BAR;
          end = Math.max(end, bar.doubleValue() * width / Math.max(1, width - behind));
        }
      }
    }
    return end;
  }

  private double micros(String kernel, Results.StackRow stack) {
    return results.cell(kernel, stack.name()).map(Cell::calmMicros).orElse(Double.NaN);
  }

  /** The axis of the bars, whose ticks end with the longest bar; behind it are numbers. */
  private static final class Shares extends NumberAxis {
    private final double longest;

    Shares(String label, double longest) {
      super(label);
      this.longest = longest;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as JFreeChart declares it
    public List refreshTicks(
        Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
      List<ValueTick> ticks = new ArrayList<>(super.refreshTicks(graphics, state, area, edge));
      ticks.removeIf(tick -> tick.getValue() > longest);
      return ticks;
    }
  }

  /** The time itself, and what is saved. */
  private final class Micros extends StandardCategoryItemLabelGenerator {
    private static final long serialVersionUID = 1;

    @Override
    public String generateLabel(CategoryDataset shares, int row, int column) {
      String kernel = (String) shares.getColumnKey(column);
      Results.StackRow stack =
          stacks().stream()
              .filter(each -> each.title().equals(shares.getRowKey(row)))
              .findFirst()
              .orElseThrow();
      String micros = String.format(Locale.ROOT, "%.1f", micros(kernel, stack));
      Optional<Double> saved = results.savedPercent(kernel, stack.name());
      return stack.equals(results.reference()) || saved.isEmpty()
          ? micros
          : micros + String.format(Locale.ROOT, " (%.0f %% saved)", saved.get());
    }
  }
}
