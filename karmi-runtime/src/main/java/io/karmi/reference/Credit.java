package io.karmi.reference;

import io.karmi.dgc.Collector;
import io.karmi.marshal.Pinned;

/** What a reference carries that its owner has counted already; taken back if it gets lost. */
final class Credit implements Pinned {
  private final Collector collector;
  private final long number;
  final long value;

  Credit(Collector collector, long number, long value) {
    this.collector = collector;
    this.number = number;
    this.value = value;
  }

  @Override
  public void notArrived() {
    collector.notArrived(number, value);
  }
}
