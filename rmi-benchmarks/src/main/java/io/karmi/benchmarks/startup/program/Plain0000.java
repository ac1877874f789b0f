package io.karmi.benchmarks.startup.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A class as most are: fields, collections, loops, nothing about streams. */
public class Plain0000 {
  private final Map<String, Integer> counts = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private String last = "none";
  private long total;

  /** As loaders of the sample program make it. */
  public Plain0000() {
    add("first", 1);
    add("second", 2);
  }

  void add(String name, int count) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a name has at least one letter");
    }
    names.add(name);
    counts.merge(name, count, Integer::sum);
    total += count;
    last = name;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(name).append('=').append(counts.get(name)).append(',');
    }
    return text.append(total).toString();
  }

  int weight(int rounds) {
    int weight = 0;
    try {
      for (int i = 0; i < rounds; i++) {
        weight += names.get(i % names.size()).length() * i;
        if (weight > 1_000_000) {
          weight -= 999_983;
        }
      }
    } catch (IndexOutOfBoundsException e) {
      names.clear();
    } finally {
      total++;
    }
    return weight;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Plain0000
        && ((Plain0000) other).names.equals(names)
        && ((Plain0000) other).total == total;
  }

  @Override
  public int hashCode() {
    return Objects.hash(names, total, last);
  }
}
