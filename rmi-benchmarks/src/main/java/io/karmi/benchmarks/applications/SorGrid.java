package io.karmi.benchmarks.applications;

/**
 * Rows of a grid on which Laplace's equation is relaxed; the outermost points stay as they are.
 *
 * @param firstRow the number of the first row in the whole grid: it decides which points are red
 */
record SorGrid(int firstRow, double[][] rows) {
  private static final double OMEGA = 1.5;
  static final int RED = 0;
  static final int BLACK = 1;

  /** A grid whose border values differ from point to point, and whose inner points are 0. */
  static double[][] initial(int size) {
    double[][] rows = new double[size][size];
    for (int i = 0; i < size; i++) {
      rows[0][i] = i;
      rows[size - 1][i] = 2.0 * size - i;
      rows[i][0] = Math.sqrt(i);
      rows[i][size - 1] = size + i * 0.25;
    }
    return rows;
  }

  /** Updates the points of one colour, whose neighbours are all of the other. */
  void relax(int colour) {
    for (int i = 1; i < rows.length - 1; i++) {
      double[] above = rows[i - 1];
      double[] row = rows[i];
      double[] below = rows[i + 1];
      for (int j = 1 + (firstRow + i + 1 + colour) % 2; j < row.length - 1; j += 2) {
        double mean = (above[j] + below[j] + row[j - 1] + row[j + 1]) / 4;
        row[j] += OMEGA * (mean - row[j]);
      }
    }
  }
}
