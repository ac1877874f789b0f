package examples.spark;

import org.apache.spark.api.java.JavaSparkContext;

/** The jobs, each with a result that tells whether all records have arrived as they were. */
public enum Job {
  /** Words of a text with Zipf's distribution. */
  WORDCOUNT(200_000) {
    @Override
    public String run(JavaSparkContext spark, int size) {
      return WordCount.run(spark, size);
    }
  },
  /** Ranks of pages whose names are strings. */
  PAGERANK(20_000) {
    @Override
    public String run(JavaSparkContext spark, int size) {
      return PageRank.run(spark, size);
    }
  },
  /** Centers of points in ten dimensions. */
  KMEANS(50_000) {
    @Override
    public String run(JavaSparkContext spark, int size) {
      return KMeans.run(spark, size);
    }
  },
  /** All pairs of nodes that are connected. */
  CLOSURE(150) {
    @Override
    public String run(JavaSparkContext spark, int size) {
      return TransitiveClosure.run(spark, size);
    }
  },
  /** Orders sorted by customer and amount. */
  SORT(100_000) {
    @Override
    public String run(JavaSparkContext spark, int size) {
      return Sort.run(spark, size);
    }
  };

  /** The records of a job are in four parts, each of which has one. */
  private static final int LEAST_SIZE = 4;

  private final int size;

  Job(int size) {
    this.size = size;
  }

  /** How much a job does unless told otherwise; of what, the job knows. */
  public int size() {
    return size;
  }

  /**
   * A size that each job can have.
   *
   * @throws IllegalArgumentException if this is none
   */
  public static int size(String text) {
    if (!text.matches("\\d{1,9}") || Integer.parseInt(text) < LEAST_SIZE) {
      throw new IllegalArgumentException("no size: " + text + "; it is a number from 4 on");
    }
    return Integer.parseInt(text);
  }

  /** Runs the job and returns its result. */
  public abstract String run(JavaSparkContext spark, int size);
}
