package io.karmi.benchmarks.options;

/**
 * The options of {@code karmi-bench engines}. They are here, and not where the engines are, so that
 * the distribution has their help, manual page and completion.
 */
public final class EnginesOptions {
  /** The help, as it is printed. */
  public static final String HELP =
      """
      usage: karmi-bench engines [options]

      Measures parts of Spark jobs, and Flink's state and network, in a JVM for each serializer: all of
      them do a workload, then the next. Times are processor time of the tasks, as Spark counts it (of the
      threads of the tasks in Flink); where it says "whole process" of all threads. Bytes (wire B) are
      those in the cache, the shuffle, the broadcast, the state or the network. It needs a clone of the
      sources: scripts/karmi-bench engines.

        --help             this text
        --workload NAMES   only these of [media, orders, shuffle8, shuffle32, sort32, broadcast, scala,
                           WORDCOUNT, PAGERANK, KMEANS, CLOSURE, SORT, flink-state, flink-network]; those
                           in capitals are whole jobs
        --stack NAMES      only these of [java, agent, kryo, kryo-registered, uka, uka-classes, uka-slim,
                           uka-exchange]; uka-slim, types by name and fingerprint, in Flink by
                           fingerprint, and uka-exchange, which broadcasts groups of an exchange space,
                           run only if they are named
        --rounds N         rounds of each part of a job (default 9)
        --job-rounds N     rounds of each whole job (default 3)
        --warm-up N        rounds before these, of a part (default 4)
        --job-warm-up N    the same of a whole job (default 1)
        --heap SIZE        memory of each JVM, such as 512m or 2g (default 1g)
        --sizes SIZES      media, orders, and percent of the jobs' usual size, separated by commas
                           (default 50000,200000,50); or full, with 2,000,000 records in shuffles, which
                           takes --heap 4g
        --json FILE        the results (default engines.json)""";

  private EnginesOptions() {}

  /** The command, with what it does here. */
  public static Subcommand command(Subcommand.Work work) {
    return new Subcommand("engines", HELP, work);
  }
}
