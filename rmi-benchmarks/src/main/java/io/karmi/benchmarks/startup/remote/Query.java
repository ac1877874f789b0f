package io.karmi.benchmarks.startup.remote;

import java.io.Serializable;

/** The request of a client. */
public class Query implements Serializable {
  private static final long serialVersionUID = 1;

  private final String text;
  private final int[] pages;

  Query(String text, int... pages) {
    this.text = text;
    this.pages = pages;
  }

  String text() {
    return text;
  }

  int firstPage() {
    return pages[0];
  }
}
