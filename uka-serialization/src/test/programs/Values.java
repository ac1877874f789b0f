import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes and reads objects of value classes by the JDK's streams, in the JDK's format by KaRMI's
 * reader, and by KaRMI's streams, until code has been generated for its fields. Prints a line for each
 * object, with what came of it in the three ways.
 */
public class Values {
  /** Times that each object is copied: code is generated before the hundredth. */
  private static final int TIMES = 150;

  value record Point(int x, String name) implements Serializable {}

  static value class Number implements Serializable {
    int number = 3;
  }

  static value class Empty implements Serializable {}

  static value class Replaced implements Serializable {
    int number = 4;

    Object writeReplace() {
      return new Point(number, "replaced");
    }
  }

  static value class External implements Externalizable {
    public External() {}

    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {}
  }

  abstract static value class Base implements Serializable {}

  abstract static value class BaseWithField implements Serializable {
    int base;

    BaseWithField(int base) {
      this.base = base;
    }
  }

  static class OfBase extends Base {
    int own = 9;

    @Override
    public String toString() {
      return "OfBase " + own;
    }
  }

  static class OfBaseWithField extends BaseWithField {
    int own = 9;

    OfBaseWithField() {
      super(5);
    }
  }

  static class Holder implements Serializable {
    final Point point = new Point(1, "held");
    final Integer small = 7;
    Integer number = 70000;
    Double real = 0.5;
    LocalDate date = LocalDate.of(2027, 3, 1);
    Object list = List.of(1, 2L, 'c', (byte) 3, (short) 4, 2.5f, true, new Point(2, "listed"));
    Point[] points = {new Point(3, "in an array"), null, new Point(3, "in an array")};
    Integer[] numbers = {1, null, 100000};

    @Override
    public String toString() {
      List<Object> all = List.of(point, small, number, real, date, list);
      return all + " " + Arrays.toString(points) + " " + Arrays.toString(numbers);
    }
  }

  public static void main(String[] args) {
    Object[] objects = {
      new Point(1, "alone"),
      70000,
      new Number(),
      new Empty(),
      new Replaced(),
      new External(),
      new OfBase(),
      new OfBaseWithField(),
      new Holder(),
      new TreeMap<>(Map.of(1, new Point(1, "a"), 2, new Point(2, "b"))),
      LocalDate.of(2027, 3, 1),
    };
    for (Object each : objects) {
      String name = each.getClass().getSimpleName();
      System.out.println(
          name + '\t' + repeat(each, false, false) + '\t' + repeat(each, false, true) + '\t'
              + repeat(each, true, true));
    }
  }

  /** What came of it each time, mostly the same. */
  private static String repeat(Object object, boolean writesUka, boolean readsUka) {
    Set<String> results = new LinkedHashSet<>();
    for (int i = 0; i < TIMES; i++) {
      results.add(run(object, writesUka, readsUka));
    }
    return String.join(" or ", results);
  }

  private static String run(Object object, boolean writesUka, boolean readsUka) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out =
          writesUka ? new UkaObjectOutputStream(bytes) : new ObjectOutputStream(bytes)) {
        out.writeObject(object);
        out.writeObject(object);
      }
      ByteArrayInputStream back = new ByteArrayInputStream(bytes.toByteArray());
      try (ObjectInputStream in =
          readsUka ? new UkaObjectInputStream(back) : new ObjectInputStream(back)) {
        Object read = in.readObject();
        return read + " " + (read == in.readObject());
      }
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      return e.toString();
    }
  }
}
