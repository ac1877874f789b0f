package io.karmi.benchmarks.exchange;

import io.karmi.benchmarks.payloads.CommonPayloads;
import io.karmi.benchmarks.payloads.FourInts;
import io.karmi.benchmarks.payloads.MediaContent;
import io.karmi.benchmarks.payloads.Pair;
import io.karmi.benchmarks.payloads.Point;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What is shared, by the figure of the papers that shows it: z is ZCOT's, g the global heap's. */
enum ExchangePayload {
  POINTS("z11", () -> Point.many(65_536)),
  PAIRS("z11", () -> Pair.many(65_536)),
  HASH_MAP("z11", () -> CommonPayloads.keys(65_536)),
  MEDIA("z11", () -> fill(new MediaContent[16_384])),
  INTS_1K("g6", () -> new int[256]),
  INTS_1M("g6", () -> new int[1 << 18]),
  INTS_16M("g6", () -> new int[1 << 22]),
  TREE_1K("g7", () -> tree(20)),
  TREE_1M("g7", () -> tree(20_000)),
  SMALL_1K("g8", () -> fill(new FourInts[60])),
  SMALL_1M("g8", () -> fill(new FourInts[60_000])),
  URLS("t3", () -> CommonPayloads.list(20_000, i -> "https://www.example.org/pages/" + i * 7919L));

  final String figure;
  private final Supplier<Object> factory;

  ExchangePayload(String figure, Supplier<Object> factory) {
    this.figure = figure;
    this.factory = factory;
  }

  /** Objects that were never written before. */
  Object create() {
    return factory.get();
  }

  private static Object fill(FourInts... small) {
    Arrays.setAll(small, FourInts::new);
    return small;
  }

  private static Object fill(MediaContent... media) {
    Arrays.setAll(media, i -> MediaContent.javaone());
    return media;
  }

  private static TreeMap<Integer, String[]> tree(int count) {
    TreeMap<Integer, String[]> tree = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      tree.put(i, new String[] {"first " + i, "second " + i});
    }
    return tree;
  }
}
