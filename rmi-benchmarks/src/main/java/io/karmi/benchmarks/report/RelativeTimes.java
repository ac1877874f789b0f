package io.karmi.benchmarks.report;

import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Results;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.labels.CategoryItemLabelGenerator;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;

/**
 * The rows of table 3 as bars: each stack's time as a share of the reference's, with its
 * microseconds behind it.
 */
final class RelativeTimes extends Picture {
  private static final int BAR = 13;
  private static final int GAP = 14;
  private static final int AROUND = 110;

  /** Between a bar and its numbers. */
  private static final RectangleInsets BESIDE_BAR = new RectangleInsets(5, 5, 5, 5);

  /** Bars end here, in parts of the reference's time: what is slower still has its number. */
  private static final double LONGEST = 1.25;

  /**
   * Behind the longest bar, in parts of the reference's time; a narrow picture has shorter bars.
   */
  private static final double ROOM_FOR_NUMBERS = 0.75;

  private static final double NARROW_ROOM_FOR_NUMBERS = 1.35;

  private final Results results;
  private final List<String> kernels;

  RelativeTimes(String prefix, Results results, List<String> kernels) {
    super(
        prefix + "table-3",
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
    renderer.setDefaultItemLabelGenerator(new Micros());
    renderer.setDefaultItemLabelsVisible(true);
    renderer.setDefaultItemLabelFont(look.font().deriveFont(10f));
    renderer.setDefaultItemLabelPaint(look.text());
    renderer.setDefaultPositiveItemLabelPosition(
        new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
    renderer.setItemLabelInsets(BESIDE_BAR);
    NumberAxis share = new Shares("share of " + results.reference().title() + "'s time");
    share.setRange(0, LONGEST + (look.isNarrow() ? NARROW_ROOM_FOR_NUMBERS : ROOM_FOR_NUMBERS));
    CategoryAxis names = new CategoryAxis();
    names.setMaximumCategoryLabelLines(2);
    names.setCategoryMargin(GAP / (double) (stacks().size() * BAR + GAP));
    CategoryPlot plot = new CategoryPlot(shares, names, share, renderer);
    plot.setOrientation(PlotOrientation.HORIZONTAL);
    plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
    return new JFreeChart(null, look.font(), plot, true);
  }

  private double micros(String kernel, Results.StackRow stack) {
    return results.cell(kernel, stack.name()).map(Cell::calmMicros).orElse(Double.NaN);
  }

  /** The axis of the bars, whose ticks end with the longest bar; behind it are numbers. */
  private static final class Shares extends NumberAxis {
    Shares(String label) {
      super(label);
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // as JFreeChart declares it
    public List refreshTicks(
        Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
      List<ValueTick> ticks = new ArrayList<>(super.refreshTicks(graphics, state, area, edge));
      ticks.removeIf(tick -> tick.getValue() > LONGEST);
      return ticks;
    }
  }

  /** The time itself, and what is saved. */
  private final class Micros implements CategoryItemLabelGenerator {
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

    @Override
    public String generateRowLabel(CategoryDataset shares, int row) {
      return String.valueOf(shares.getRowKey(row));
    }

    @Override
    public String generateColumnLabel(CategoryDataset shares, int column) {
      return String.valueOf(shares.getColumnKey(column));
    }
  }
}
