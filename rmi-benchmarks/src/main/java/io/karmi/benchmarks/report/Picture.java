package io.karmi.benchmarks.report;

import java.awt.Rectangle;
import org.jfree.chart.JFreeChart;
import org.jfree.svg.SVGGraphics2D;
import org.jfree.svg.ViewBox;

/** A chart that can be drawn in any {@link Look}. */
abstract class Picture {
  private final String name;
  private final String caption;

  Picture(String name, String caption) {
    this.name = name;
    this.caption = caption;
  }

  /** Unique on a page, and the name of the SVG file. */
  public String name() {
    return name;
  }

  /** What the picture shows. */
  public String caption() {
    return caption;
  }

  /** The chart, not dressed yet. */
  abstract JFreeChart chart(Look look);

  /** In pixels. */
  abstract int height(Look look);

  /** Nothing to show: leave the picture out. */
  abstract boolean isEmpty();

  /**
   * An {@code svg} element.
   *
   * @param prefix of its ids, unique on a page
   */
  String svg(Look look, String prefix) {
    int height = height(look);
    SVGGraphics2D graphics = new SVGGraphics2D(look.width(), height);
    graphics.setDefsKeyPrefix(prefix + "-");
    look.dress(chart(look)).draw(graphics, new Rectangle(look.width(), height));
    return graphics.getSVGElement(null, false, new ViewBox(0, 0, look.width(), height), null, null);
  }
}
