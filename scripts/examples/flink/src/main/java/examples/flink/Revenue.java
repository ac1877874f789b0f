package examples.flink;

import java.io.Serializable;
import java.time.LocalDate;

/** What an order has brought so far; the order itself is known once it has come. Immutable. */
public final class Revenue implements Serializable {
  private static final long serialVersionUID = 1;

  final long orderKey;
  final LocalDate ordered;
  final String segment;
  final long cents;

  private Revenue(long orderKey, LocalDate ordered, String segment, long cents) {
    this.orderKey = orderKey;
    this.ordered = ordered;
    this.segment = segment;
    this.cents = cents;
  }

  static Revenue ofOrder(long orderKey) {
    String segment = orderKey % 5 == 0 ? "BUILDING" : "MACHINERY";
    return new Revenue(orderKey, LocalDate.of(1995, 1, 1).plusDays(orderKey % 100), segment, 0);
  }

  static Revenue ofLine(LineItem line) {
    return new Revenue(line.orderKey, LocalDate.MIN, "", line.discountedCents());
  }

  long orderKey() {
    return orderKey;
  }

  Revenue plus(Revenue other) {
    Revenue order = segment.isEmpty() ? other : this;
    return new Revenue(orderKey, order.ordered, order.segment, cents + other.cents);
  }

  @Override
  public String toString() {
    return orderKey + " of " + ordered + ": " + cents + " cents";
  }
}
