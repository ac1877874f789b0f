package io.karmi.reference;

import io.karmi.dgc.Collector;
import io.karmi.marshal.Pinned;

/**
 * Credit of a reference that its owner has counted when it leaves; taken back if the reference gets
 * lost.
 */
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
