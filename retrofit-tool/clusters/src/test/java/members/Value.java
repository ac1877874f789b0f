package members;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A program's own object, as it stands in sessions, caches and messages: it refers to itself, has
 * methods of its own for serialization, and fields of most kinds.
 */
public final class Value implements Serializable {
  private static final long serialVersionUID = 1;

  /** A record in it. */
  private record Price(String currency, BigDecimal amount) implements Serializable {}

  private final String name;
  private final int number;
  private final LocalDate day = LocalDate.of(2001, 2, 3);
  private final List<Object> parts = new ArrayList<>();
  private final Map<String, Value> more = new TreeMap<>();
  private final Map<DayOfWeek, Price> prices = new EnumMap<>(DayOfWeek.class);
  private final double[][] matrix = {{1.5, -0.0}, {}, {Double.NaN}};
  private final UUID id = new UUID(7, -7);
  private transient String shown;

  /** A value that refers to itself. */
  public Value(String name, int number) {
    this.name = name;
    this.number = number;
    this.shown = name + number;
    parts.add(number);
    parts.add("ä\uD83D\uDE00\u0000");
    parts.add(this);
    prices.put(DayOfWeek.FRIDAY, new Price("EUR", new BigDecimal("1234567890123456789.01")));
  }

  /** The next value, which refers to this one. */
  public Value next() {
    Value next = new Value(name, number + 1);
    more.clear();
    next.more.put("before", this);
    return next;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeUTF(shown);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    shown = in.readUTF();
  }

  /** Its name and number, or all that it holds if that is not what a new one holds. */
  @Override
  public String toString() {
    Value same = new Value(name, number);
    boolean whole = parts.size() == 3 && parts.get(2) == this && contents().equals(same.contents());
    Value before = more.get("before");
    return (whole ? shown : "broken: " + contents()) + (before == null ? "" : " after " + before);
  }

  private String contents() {
    List<Object> plain = parts.subList(0, Math.min(2, parts.size()));
    return String.join(
            "|", shown, day.toString(), plain.toString(), prices.toString(), id.toString())
        + Arrays.deepToString(matrix);
  }
}
