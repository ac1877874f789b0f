package sessions;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a visitor wants to buy: of the kinds of objects that programs keep in sessions. */
public final class Cart implements Serializable {
  private static final long serialVersionUID = 1;

  /** A row of it. */
  record Row(String item, int count, BigDecimal price) implements Serializable {}

  private final String owner;
  private final LocalDate begun = LocalDate.of(2026, 1, 31);
  private final List<Row> rows = new ArrayList<>();
  private final Map<DayOfWeek, List<String>> deliveries = new EnumMap<>(DayOfWeek.class);
  private final TreeMap<String, Integer> counts = new TreeMap<>();
  private transient String note = "";

  private Cart(String owner) {
    this.owner = owner;
  }

  static Cart of(String owner) {
    Cart cart = new Cart(owner);
    cart.deliveries.put(DayOfWeek.FRIDAY, List.of("morning", "evening"));
    cart.add("tea");
    return cart;
  }

  void add(String item) {
    rows.add(new Row(item, rows.size() + 1, new BigDecimal("12.50")));
    counts.merge(item, 1, Integer::sum);
    note = "last: " + item;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeUTF(note);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    note = in.readUTF();
  }

  @Override
  public String toString() {
    return owner + ' ' + begun + ' ' + rows + ' ' + deliveries + ' ' + counts + ' ' + note;
  }
}
