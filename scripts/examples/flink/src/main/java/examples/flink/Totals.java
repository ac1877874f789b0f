package examples.flink;

import java.io.Serializable;

/** Sums over lines. Immutable. */
public final class Totals implements Serializable {
  private static final long serialVersionUID = 1;

  final String group;
  final long quantity;
  final long cents;
  final long discountedCents;
  final long count;

  Totals(String group, long quantity, long cents, long discountedCents, long count) {
    this.group = group;
    this.quantity = quantity;
    this.cents = cents;
    this.discountedCents = discountedCents;
    this.count = count;
  }

  static Totals of(LineItem line) {
    return new Totals(line.group(), line.quantity, line.priceCents, line.discountedCents(), 1);
  }

  String group() {
    return group;
  }

  Totals plus(Totals other) {
    return new Totals(
        group,
        quantity + other.quantity,
        cents + other.cents,
        discountedCents + other.discountedCents,
        count + other.count);
  }

  @Override
  public String toString() {
    return group + " " + count + " lines, " + quantity + " pieces, " + discountedCents + " cents";
  }
}
