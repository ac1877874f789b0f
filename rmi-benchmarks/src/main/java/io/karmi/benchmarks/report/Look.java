package io.karmi.benchmarks.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Stroke;
import java.awt.font.FontRenderContext;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.title.LegendTitle;
import org.jfree.chart.ui.RectangleInsets;

/**
 * How a picture looks: its width, and the colours of a light or a dark page.
 *
 * @param width in pixels
 * @param background of the page
 * @param text of all words and axes
 * @param grid of lines behind the data
 */
record Look(String name, int width, Color background, Color text, Color grid) {
  private static final Color DARK_PAGE = new Color(0x16181d);
  private static final Color DARK_TEXT = new Color(0xd5d8de);
  private static final Color DARK_GRID = new Color(0x3a3f4a);
  private static final int WIDE = 820;
  private static final int NARROW = 370;

  static final Look LIGHT =
      new Look("light", WIDE, Color.WHITE, new Color(0x22252b), new Color(0xdadde3));
  static final Look DARK = new Look("dark", WIDE, DARK_PAGE, DARK_TEXT, DARK_GRID);

  /** Okabe and Ito's colours, which colour-blind readers can tell apart, and paler ones. */
  private static final int[] SERIES = {
    0x8c8c8c, 0xe69f00, 0x56b4e9, 0x009e73, 0x0072b2, 0xd55e00, 0xcc79a7, 0xb79f00,
    0x7e57c2, 0x26a69a, 0xa1887f, 0xec407a, 0x9ccc65, 0x5c6bc0, 0xff8a65, 0x4db6ac
  };

  static final Stroke THIN = new BasicStroke(1f);
  static final Stroke LINE = new BasicStroke(2f);

  /** All that a page needs: both colours, wide and narrow. */
  static List<Look> all() {
    return List.of(LIGHT, DARK, LIGHT.narrow(), DARK.narrow());
  }

  /** Can words be measured here? A JDK needs a font of the system for that. */
  static boolean canDraw() {
    try {
      Font font = LIGHT.font();
      return font.getStringBounds("M", new FontRenderContext(null, true, true)).getWidth() > 0;
    } catch (RuntimeException | LinkageError | InternalError e) {
      return false;
    }
  }

  private Look narrow() {
    return new Look(name + " narrow", NARROW, background, text, grid);
  }

  boolean isNarrow() {
    return width == NARROW;
  }

  /** The colour of the stack of this index; the same in all pictures of a page. */
  Color series(int index) {
    Color colour = new Color(SERIES[index % SERIES.length]);
    return background.equals(DARK_PAGE) ? lighter(colour) : colour;
  }

  /** Of a colour for a dark page: a third of the way to white. */
  private static Color lighter(Color colour) {
    return new Color(third(colour.getRed()), third(colour.getGreen()), third(colour.getBlue()));
  }

  private static int third(int part) {
    return part + (255 - part) / 3;
  }

  Font font() {
    return new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  }

  /** Dresses a chart that has its data. */
  JFreeChart dress(JFreeChart chart) {
    chart.setBackgroundPaint(background);
    chart.setBorderVisible(false);
    chart.setPadding(new RectangleInsets(4, 4, 4, 12));
    Plot plot = chart.getPlot();
    plot.setBackgroundPaint(background);
    plot.setOutlineVisible(false);
    LegendTitle legend = chart.getLegend();
    if (legend != null) {
      legend.setBackgroundPaint(background);
      legend.setItemPaint(text);
      legend.setItemFont(font());
      legend.setFrame(BlockBorder.NONE);
    }
    if (plot instanceof XYPlot xy) {
      xy.setDomainGridlinePaint(grid);
      xy.setRangeGridlinePaint(grid);
      dress(xy.getDomainAxis());
      dress(xy.getRangeAxis());
    } else if (plot instanceof CategoryPlot category) {
      category.setRangeGridlinePaint(grid);
      dress(category.getDomainAxis());
      dress(category.getRangeAxis());
    }
    return chart;
  }

  private void dress(Axis axis) {
    axis.setLabelFont(font());
    axis.setTickLabelFont(font());
    axis.setLabelPaint(text);
    axis.setTickLabelPaint(text);
    axis.setAxisLinePaint(grid);
    axis.setTickMarkPaint(grid);
    if (axis instanceof ValueAxis value) {
      value.setAutoTickUnitSelection(true, false);
    }
  }
}
