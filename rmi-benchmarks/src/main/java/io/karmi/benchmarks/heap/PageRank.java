package io.karmi.benchmarks.heap;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * A worker of a map-reduce that ranks pages (Naos, table 5): it has each vertex whose number leaves
 * its own as the remainder, and the edges from there. In each iteration it sends each other worker
 * the scores for that one's vertices, and gets its own.
 */
final class PageRank {
  private static final double DAMPING = 0.85;

  /** Edges of a vertex, in the mean. */
  private static final int DEGREE = 10;

  /** Power of the uniform number that makes a target: few vertices get most edges. */
  private static final int SKEW = 3;

  private final int workers;
  private final int own;
  private final int[] sources;
  private final int[] targets;
  private final int[] degrees;
  private final double[] ranks;

  /** What a vertex gets of one worker: an object of its own. */
  record Update(int vertex, double score) implements Serializable {}

  /** The same of all vertices in one object. */
  record Scores(int[] vertices, double[] scores) implements Serializable {}

  PageRank(int edges, int workers, int own) {
    this.workers = workers;
    this.own = own;
    int vertices = Math.max(workers, edges / DEGREE);
    degrees = new int[vertices];
    ranks = new double[vertices];
    Arrays.fill(ranks, 1);
    SplittableRandom random = new SplittableRandom(edges);
    int[] from = new int[edges];
    int[] to = new int[edges];
    int count = 0;
    for (int i = 0; i < edges; i++) {
      int source = random.nextInt(vertices);
      int target = (int) (vertices * Math.pow(random.nextDouble(), SKEW));
      if (source % workers == own) {
        from[count] = source;
        to[count++] = target;
        degrees[source]++;
      }
    }
    sources = Arrays.copyOf(from, count);
    targets = Arrays.copyOf(to, count);
  }

  /**
   * Runs iterations from the beginning.
   *
   * @param others the ways to the other workers by their numbers
   * @return how long each one has taken, in nanoseconds
   */
  long[] run(Map<Integer, Carrier> others, int iterations, boolean dense) throws Exception {
    Arrays.fill(ranks, 1);
    long[] nanos = new long[iterations];
    ExecutorService senders = Executors.newFixedThreadPool(Math.max(1, others.size()));
    try {
      for (int i = 0; i < iterations; i++) {
        long start = System.nanoTime();
        iterate(new TreeMap<>(others), senders, dense);
        nanos[i] = System.nanoTime() - start;
      }
    } finally {
      senders.shutdown();
    }
    return nanos;
  }

  private void iterate(Map<Integer, Carrier> others, ExecutorService senders, boolean dense)
      throws Exception {
    double[] sums = new double[ranks.length];
    for (int i = 0; i < sources.length; i++) {
      sums[targets[i]] += ranks[sources[i]] / degrees[sources[i]];
    }
    List<Future<?>> sent = new ArrayList<>();
    for (Map.Entry<Integer, Carrier> other : others.entrySet()) {
      Object scores = dense ? scores(sums, other.getKey()) : updates(sums, other.getKey());
      sent.add(
          senders.submit(
              () -> {
                other.getValue().send(scores);
                return null;
              }));
    }
    for (Carrier other : others.values()) {
      add(Objects.requireNonNull(other.receive()), sums);
    }
    for (Future<?> each : sent) {
      each.get();
    }
    for (int i = own; i < ranks.length; i += workers) {
      ranks[i] = 1 - DAMPING + DAMPING * sums[i];
    }
  }

  private Scores scores(double[] sums, int worker) {
    int[] vertices =
        IntStream.iterate(worker, vertex -> vertex < sums.length, vertex -> vertex + workers)
            .filter(vertex -> sums[vertex] != 0)
            .toArray();
    return new Scores(vertices, Arrays.stream(vertices).mapToDouble(at -> sums[at]).toArray());
  }

  private Update[] updates(double[] sums, int worker) {
    Scores all = scores(sums, worker);
    Update[] updates = new Update[all.vertices.length];
    Arrays.setAll(updates, i -> new Update(all.vertices[i], all.scores[i]));
    return updates;
  }

  private static void add(Object received, double[] sums) {
    if (received instanceof Update[] updates) {
      for (Update each : updates) {
        sums[each.vertex()] += each.score();
      }
      return;
    }
    Scores all = (Scores) received;
    for (int i = 0; i < all.vertices().length; i++) {
      sums[all.vertices()[i]] += all.scores()[i];
    }
  }

  /** Sum of the ranks of this worker's vertices: the same by each way. */
  double sum() {
    double sum = 0;
    for (int i = own; i < ranks.length; i += workers) {
      sum += ranks[i];
    }
    return sum;
  }
}
