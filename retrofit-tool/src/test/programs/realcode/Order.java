package realcode;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A value with private and final fields, a cycle, and a field that is not stored. */
public final class Order implements Serializable {
  private final String name;
  private final double price;
  private final List<Order> parts = new ArrayList<>();
  private final Order whole;
  private transient Object noise = new Object();

  Order(String name, double price, Order whole) {
    this.name = name;
    this.price = price;
    this.whole = whole == null ? this : whole;
    if (whole != null) {
      whole.parts.add(this);
    }
  }

  static Order sample() {
    Order order = new Order("order", 9.5, null);
    new Order("first", 4.25, order);
    new Order("second", 5.25, order);
    return order;
  }

  boolean isWhole() {
    return whole == this && noise == null && parts.stream().allMatch(part -> part.whole == this);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Order
        && name.equals(((Order) other).name)
        && price == ((Order) other).price
        && parts.equals(((Order) other).parts);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, price);
  }

  @Override
  public String toString() {
    return name + price + parts;
  }
}
