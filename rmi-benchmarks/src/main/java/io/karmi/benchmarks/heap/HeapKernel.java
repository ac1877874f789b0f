package io.karmi.benchmarks.heap;

import io.karmi.benchmarks.measure.Measurement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A number of a figure or table of the paper.
 *
 * @param title begins with the figure
 * @param ways which ways have it, by their names
 */
record HeapKernel(String title, Predicate<String> ways, Run run) {
  static final List<String> FIGURES = List.of("7", "8", "9", "10", "11", "t2", "t3", "t4", "t5");

  /** Ways of serializers. */
  static final List<String> CODECS = List.of("jdk", "kryo", "fory", "uka");

  /** Ways that are there for figure 10 alone. */
  static final List<String> PIECES =
      List.of(Carrier.STREAM + (1 << 12), Carrier.STREAM + (1 << 16), Carrier.STREAM + (1 << 20));

  /** What table 3 sends: kinds of elements, and how many. */
  static final List<String> TABLE_3 = List.of("floats 8192", "points 1024", "pairs 1024");

  private static final List<String> KINDS = List.of("floats", "points", "pairs");

  /** Elements of all graphs of a round, which are alive at the same time, at most. */
  private static final int MAXIMUM_ELEMENTS = 1 << 16;

  /** Measures it once by a way. */
  interface Run {
    List<Measurement> run(HeapNodes nodes, String title, String way) throws IOException;
  }

  /**
   * How much is sent.
   *
   * @param full the paper's sizes
   * @param graphs most graphs, or requests, of a round
   */
  record Sizes(boolean full, int graphs) {
    /** How many graphs a round sends, by the number of their elements. */
    int graphsOf(int elements) {
      return Math.max(1, Math.min(graphs, MAXIMUM_ELEMENTS / elements));
    }
  }

  /** Those of some figures. */
  static List<HeapKernel> of(List<String> figures, Sizes sizes) {
    List<HeapKernel> kernels = new ArrayList<>();
    for (String figure : figures) {
      switch (figure) {
        case "7" -> addLatencies(kernels, sizes);
        case "8" ->
            KINDS.forEach(kind -> kernels.add(sending("8 " + kind, "all", kind, 512, sizes)));
        case "9" -> addStreaming(kernels, sizes);
        case "10" -> addPipelining(kernels, sizes);
        case "11" -> addEchoes(kernels, sizes);
        case "t2" -> addShapes(kernels, sizes);
        case "t3" -> addParts(kernels, sizes);
        case "t4" -> addYcsb(kernels, sizes);
        default -> addPageRank(kernels, sizes);
      }
    }
    return kernels;
  }

  private static boolean sends(String way) {
    return !way.startsWith(HeapNodes.CALLS) && !way.startsWith(Carrier.STREAM);
  }

  private static boolean sendsAnything(String way) {
    return sends(way) && !way.equals(Carrier.ELEMENTS);
  }

  private static void addLatencies(List<HeapKernel> to, Sizes sizes) {
    for (String kind : KINDS) {
      for (int bits = 4; bits <= 16; bits += sizes.full ? 1 : 4) {
        to.add(sending("7 " + kind, "each", kind, 1 << bits, sizes));
      }
    }
  }

  private static void addShapes(List<HeapKernel> to, Sizes sizes) {
    for (String shape : List.of("1-0-0", "1-1-0", "1-2-0", "1-1-1")) {
      HeapKernel parts = sending("t2", "parts", shape, 1024, sizes);
      to.add(
          new HeapKernel(
              "t2 " + shape,
              CODECS::contains,
              (nodes, title, way) -> parts.run.run(nodes, title, way).subList(0, 1)));
    }
  }

  private static void addParts(List<HeapKernel> to, Sizes sizes) {
    for (String graph : TABLE_3) {
      String[] words = graph.split(" ");
      HeapKernel parts =
          sending("t3 " + words[0], "parts", words[0], Integer.parseInt(words[1]), sizes);
      to.add(new HeapKernel(parts.title, CODECS::contains, parts.run));
    }
  }

  /** Sends graphs of one size; a cost is of one. */
  private static HeapKernel sending(String title, String mode, String kind, int size, Sizes sizes) {
    int count = sizes.graphsOf(size);
    return sending(title + ' ' + size, mode, kind, size, count, count);
  }

  /**
   * Sends graphs.
   *
   * @param units how many of them a cost is of
   */
  private static HeapKernel sending(
      String title, String mode, String kind, int size, int count, int units) {
    return new HeapKernel(
        title,
        kind.equals("floats") ? HeapKernel::sendsAnything : HeapKernel::sends,
        (nodes, name, way) -> nodes.send(name, way, mode, kind, size, count, units));
  }

  private static void addStreaming(List<HeapKernel> to, Sizes sizes) {
    int total = sizes.full ? 1 << 20 : 1 << 16;
    for (String kind : KINDS.subList(1, 3)) {
      for (int bits = 6; bits <= 13; bits += sizes.full ? 1 : 7) {
        String title = "9 " + kind + ' ' + total + " by " + (1 << bits);
        to.add(sending(title, "all", kind, 1 << bits, total >> bits, 1));
      }
    }
  }

  private static void addPipelining(List<HeapKernel> to, Sizes sizes) {
    int total = sizes.full ? 1 << 20 : 1 << 16;
    for (String kind : KINDS.subList(1, 3)) {
      HeapKernel one = sending("10 " + kind, "each", kind, total, sizes);
      to.add(new HeapKernel(one.title, way -> sends(way) || PIECES.contains(way), one.run));
    }
  }

  private static void addEchoes(List<HeapKernel> to, Sizes sizes) {
    for (int bits = 4; bits <= 16; bits += sizes.full ? 1 : 6) {
      to.add(asking("11 echo " + (1 << bits), "echo", 1 << bits, sizes.graphs, 0));
    }
  }

  private static void addYcsb(List<HeapKernel> to, Sizes sizes) {
    for (int percent : new int[] {50, 95, 100}) {
      String title = "t4 ycsb " + percent + ":" + (100 - percent);
      to.add(asking(title, "ycsb", sizes.full ? 200_000 : 10_000, sizes.graphs, percent));
    }
  }

  private static HeapKernel asking(
      String title, String what, int size, int count, int readPercent) {
    return new HeapKernel(
        title,
        way -> sendsAnything(way) || way.startsWith(HeapNodes.CALLS),
        (nodes, name, way) -> nodes.ask(name, way, what, size, count, readPercent));
  }

  private static void addPageRank(List<HeapKernel> to, Sizes sizes) {
    int edges = sizes.full ? 1_000_000 : 50_000;
    for (int workers = 2; workers <= 3; workers++) {
      for (String form : List.of("updates", "dense")) {
        int count = workers;
        to.add(
            new HeapKernel(
                "t5 pagerank " + form + ", " + workers + " JVMs",
                form.equals("dense") ? HeapKernel::sendsAnything : HeapKernel::sends,
                (nodes, name, way) ->
                    nodes.rank(name, way, count, edges, sizes.full ? 20 : 5, form)));
      }
    }
  }
}
