package io.karmi.engines;

/**
 * How much the workloads do.
 *
 * @param media objects in the cache
 * @param orders records in the cache, in each shuffle and in the broadcast
 * @param jobPercent size of the five jobs, in percent of what the examples do
 */
record Sizes(int media, int orders, int jobPercent) {
  /** For a run of some minutes. */
  static final Sizes USUAL = new Sizes(50_000, 200_000, 50);

  /** For a test that everything works. */
  static final Sizes SMALL = new Sizes(400, 800, 1);

  static Sizes parse(String text) {
    String[] words = text.split(",", -1);
    return new Sizes(
        Integer.parseInt(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
  }

  @Override
  public String toString() {
    return media + "," + orders + "," + jobPercent;
  }
}
