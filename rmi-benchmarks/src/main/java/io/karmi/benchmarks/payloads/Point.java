package io.karmi.benchmarks.payloads;

import java.io.Serializable;
import java.util.Arrays;

/** Two doubles: an element of Naos's array of 1024 points. */
public final class Point implements Serializable {
  private static final long serialVersionUID = 1;

  private final double x;
  private final double y;

  public Point(double x, double y) {
    this.x = x;
    this.y = y;
  }

  /** An array of as many. */
  public static Point[] many(int count) {
    Point[] points = new Point[count];
    Arrays.setAll(points, i -> new Point(i, -i * 0.5));
    return points;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Point that && x == that.x && y == that.y;
  }

  @Override
  public int hashCode() {
    return Double.hashCode(x) * 31 + Double.hashCode(y);
  }
}
