package examples.spark;

import java.io.Serializable;

/** A point of many dimensions. Immutable as long as its array is not changed. */
public final class Point implements Serializable {
  private static final long serialVersionUID = 1;

  private final double[] coordinates;

  /** Takes the array over. */
  public Point(double[] coordinates) {
    this.coordinates = coordinates;
  }

  double[] coordinates() {
    return coordinates;
  }

  double distanceTo(Point other) {
    double sum = 0;
    for (int i = 0; i < coordinates.length; i++) {
      double difference = coordinates[i] - other.coordinates[i];
      sum += difference * difference;
    }
    return sum;
  }

  Point plus(Point other) {
    double[] sum = coordinates.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.coordinates[i];
    }
    return new Point(sum);
  }

  Point dividedBy(long count) {
    double[] quotient = coordinates.clone();
    for (int i = 0; i < quotient.length; i++) {
      quotient[i] /= count;
    }
    return new Point(quotient);
  }
}
