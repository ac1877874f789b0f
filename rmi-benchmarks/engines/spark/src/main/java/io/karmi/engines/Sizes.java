package io.karmi.engines;

/**
 * How much the workloads do.
 *
 * @param media objects in the cache
 * @param orders records in the cache, in each shuffle, in the broadcast, and in Flink
 * @param jobPercent size of the five jobs, in percent of what the examples do
 */
public record Sizes(int media, int orders, int jobPercent) {
  /** For a run of some minutes. */
  public static final Sizes USUAL = new Sizes(50_000, 200_000, 50);

  /** Two million records in each shuffle. */
  public static final Sizes FULL = new Sizes(50_000, 2_000_000, 100);

  /** For a test that everything works. */
  public static final Sizes SMALL = new Sizes(400, 800, 1);

  /** Checks that each part of the records has one. */
  public Sizes {
    if (media < 2 || orders < 40 || jobPercent < 1) {
      throw new IllegalArgumentException(
          "--sizes are at least 2 media, 40 orders and 1 percent, not "
              + text(media, orders, jobPercent));
    }
  }

  /** The three numbers, separated by commas, or a name. */
  public static Sizes parse(String text) {
    if (text.equals("full")) {
      return FULL;
    }
    String[] words = text.split(",", -1);
    if (words.length != 3) {
      throw new IllegalArgumentException("--sizes=" + text + " are not three numbers, or full");
    }
    return new Sizes(
        Integer.parseInt(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
  }

  @Override
  public String toString() {
    return text(media, orders, jobPercent);
  }

  private static String text(int media, int orders, int jobPercent) {
    return media + "," + orders + "," + jobPercent;
  }
}
