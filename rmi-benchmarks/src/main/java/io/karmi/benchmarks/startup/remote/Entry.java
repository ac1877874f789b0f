package io.karmi.benchmarks.startup.remote;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** The answer of a server. */
public class Entry implements Serializable {
  private static final long serialVersionUID = 1;

  private final String name;
  private final int page;
  private final ArrayList<String> words;

  Entry(String name, int page, List<String> words) {
    this.name = name;
    this.page = page;
    this.words = new ArrayList<>(words);
  }

  @Override
  public String toString() {
    return name + " on page " + page + ": " + words;
  }
}
