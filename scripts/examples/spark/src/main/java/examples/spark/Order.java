package examples.spark;

import java.io.Serializable;
import java.util.List;

/** A record as programs have them: numbers, strings, an enum constant and a list. */
public final class Order implements Serializable {
  private static final long serialVersionUID = 1;

  /** How far an order has got. */
  public enum State {
    /** Not yet paid. */
    NEW,
    /** Paid. */
    PAID,
    /** On its way. */
    SENT
  }

  private final long number;
  private final String customer;
  private final double amount;
  private final State state;
  private final List<String> items;

  /** An order of these items. */
  public Order(long number, String customer, double amount, State state, List<String> items) {
    this.number = number;
    this.customer = customer;
    this.amount = amount;
    this.state = state;
    this.items = items;
  }

  /** Who has ordered. */
  public String customer() {
    return customer;
  }

  /** A number that depends on all fields. */
  public long checksum() {
    long sum = 31 * number + customer.hashCode();
    sum = 31 * sum + Double.doubleToLongBits(amount);
    sum = 31 * sum + state.name().hashCode();
    return 31 * sum + items.hashCode();
  }
}
