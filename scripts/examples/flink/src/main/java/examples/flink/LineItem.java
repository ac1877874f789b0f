package examples.flink;

import java.io.Serializable;
import java.time.LocalDate;
import java.util.Random;

/** A line of an order as in TPC-H, of a generic type: its fields are final and have no setters. */
public final class LineItem implements Serializable {
  private static final long serialVersionUID = 1;

  /** What became of the line. */
  public enum Flag {
    /** Accepted. */
    A,
    /** Neither. */
    N,
    /** Returned. */
    R
  }

  final long orderKey;
  final int lineNumber;
  final int quantity;
  final long priceCents;
  final int discountPercent;
  final int taxPercent;
  final Flag flag;
  final char status;
  final LocalDate shipped;
  final String comment;

  /** A line that its number decides. */
  LineItem(long number, int linesPerOrder) {
    Random random = new Random(number * 0x9E3779B97F4A7C15L);
    orderKey = number / linesPerOrder;
    lineNumber = (int) (number % linesPerOrder);
    quantity = 1 + random.nextInt(50);
    priceCents = 90_000 + random.nextInt(1_000_000);
    discountPercent = random.nextInt(11);
    taxPercent = random.nextInt(9);
    shipped = LocalDate.of(1992, 1, 1).plusDays(random.nextInt(2_500));
    flag = shipped.getYear() < 1995 ? random.nextBoolean() ? Flag.A : Flag.R : Flag.N;
    status = shipped.getYear() < 1996 ? 'F' : 'O';
    comment = "line " + lineNumber + " of order " + orderKey;
  }

  String group() {
    return flag.name() + status;
  }

  long discountedCents() {
    return priceCents * (100 - discountPercent) / 100;
  }
}
