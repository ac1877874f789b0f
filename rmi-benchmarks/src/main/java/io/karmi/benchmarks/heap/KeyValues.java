package io.karmi.benchmarks.heap;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A hash table that answers requests (Naos, 4.2), and the requests of its clients. */
final class KeyValues implements Store {
  private static final int VALUE_BYTES = 1024;

  /** YCSB's skew. */
  private static final double THETA = 0.99;

  private final Map<String, byte[]> values = new ConcurrentHashMap<>();

  record Get(String key) implements Serializable {}

  record Put(String key, byte[] value) implements Serializable {}

  /** Has as many values as asked for. */
  void fill(int entries) {
    for (int i = values.size(); i < entries; i++) {
      values.put("user" + i, new byte[VALUE_BYTES]);
    }
  }

  @Override
  public @Nullable Object apply(Object request) {
    if (request instanceof Get get) {
      return values.get(get.key());
    }
    if (request instanceof Put put) {
      values.put(put.key(), put.value());
      return "";
    }
    return request;
  }

  /**
   * Requests of YCSB, by keys of Zipf's distribution.
   *
   * @param readPercent how many of a hundred read
   */
  static Object[] requests(int entries, int readPercent, int count) {
    double[] upTo = new double[entries];
    double sum = 0;
    for (int i = 0; i < entries; i++) {
      sum += 1 / Math.pow(i + 1, THETA);
      upTo[i] = sum;
    }
    SplittableRandom random = new SplittableRandom(readPercent);
    Object[] requests = new Object[count];
    for (int i = 0; i < count; i++) {
      int rank = Arrays.binarySearch(upTo, random.nextDouble() * sum);
      String key = "user" + Math.min(rank < 0 ? -rank - 1 : rank, entries - 1);
      requests[i] =
          random.nextInt(100) < readPercent ? new Get(key) : new Put(key, new byte[VALUE_BYTES]);
    }
    return requests;
  }
}
