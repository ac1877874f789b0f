package io.karmi.exchange;

import java.util.Map;

/** An exchange space as JMX sees it: {@code io.karmi:type=ExchangeSpace,space=...}. */
public interface ExchangeMXBean {
  /** URL of the directory. */
  String getUrl();

  /** The directory with the files of this host. */
  String getFiles();

  /**
   * Counters by name: groups that are held now; groups and bytes that were fetched from other
   * hosts; bytes that were given to others; calls of the directory.
   */
  Map<String, Long> getCounters();
}
