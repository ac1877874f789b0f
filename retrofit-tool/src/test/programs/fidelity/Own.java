package fidelity;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Classes of the program itself, one for each thing that a class may do about serialization. */
final class Own implements Serializable {
  private static final long serialVersionUID = 1;

  private final String name;

  Own(String name) {
    this.name = name;
  }

  @SuppressWarnings("serial")
  Object anonymous() {
    return new Base(1) {
      @Override
      public String toString() {
        return "anonymous in " + name;
      }
    };
  }

  record Point(int x, int y) implements Serializable {}

  record Order(String id, List<String> items, Map<String, Integer> counts) implements Serializable {}

  record Nested(Point first, Point[] more) implements Serializable {
    @Override
    public String toString() {
      return first + Arrays.toString(more);
    }
  }

  @SuppressWarnings("serial")
  static class Finals implements Serializable {
    final boolean flag;
    final byte small;
    final char letter;
    final short medium;
    final int number;
    final long large;
    final float single;
    final double real;
    final String text;
    final int[] array;
    final Object any;

    Finals(int seed) {
      flag = seed > 0;
      small = (byte) seed;
      letter = (char) ('a' + seed);
      medium = (short) (seed * 1000);
      number = seed * 1_000_000;
      large = seed * 1_000_000_000_000L;
      single = seed / 2f;
      real = seed / 3.0;
      text = "text" + seed;
      array = new int[] {seed};
      any = List.of(seed, "any");
    }

    @Override
    public String toString() {
      return flag + " " + small + " " + letter + " " + medium + " " + number + " " + large + " "
          + single + " " + real + " " + text + " " + Arrays.toString(array) + " " + any;
    }
  }

  @SuppressWarnings("serial")
  static class Base implements Serializable {
    int base;

    Base(int base) {
      this.base = base;
    }
  }

  @SuppressWarnings("serial")
  static class Mixed extends Base {
    private final String fixed;
    private long open;

    Mixed(String fixed, int value) {
      super(value);
      this.fixed = fixed;
      open = value * 2L;
    }

    @Override
    public String toString() {
      return base + fixed + open;
    }
  }

  @SuppressWarnings("serial")
  static final class Below extends Mixed {
    private final int below;
    private final Point point;

    Below(int value) {
      super("mixed", value);
      below = value;
      point = new Point(value, value);
    }

    @Override
    public String toString() {
      return super.toString() + below + point;
    }
  }

  @SuppressWarnings("serial")
  static final class Cycle implements Serializable {
    private final Cycle[] others;

    private Cycle(Cycle[] others) {
      this.others = others;
    }

    static Cycle make() {
      Cycle[] both = new Cycle[2];
      both[0] = new Cycle(both);
      both[1] = new Cycle(both);
      return both[0];
    }

    @Override
    public String toString() {
      return "closed " + (others[0] == this && others[1].others == others);
    }
  }

  @SuppressWarnings("serial")
  static final class Transient implements Serializable {
    private final transient String lost = "lost".trim();
    private final transient int number;
    private final String kept;

    Transient(String kept) {
      this.kept = kept;
      number = 5;
    }

    @Override
    public String toString() {
      return lost + number + kept;
    }
  }

  @SuppressWarnings("serial")
  static final class Persistent extends Base {
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("title", String.class), new ObjectStreamField("count", int.class)
    };

    private transient String own;
    private final int count;

    Persistent(String own, int count) {
      super(count + 1);
      this.own = own;
      this.count = count;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      fields.put("title", own);
      fields.put("count", count);
      out.writeFields();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ObjectInputStream.GetField fields = in.readFields();
      own = (String) fields.get("title", null) + fields.get("count", 0);
    }

    @Override
    public String toString() {
      return own + " " + count + " " + base;
    }
  }

  @SuppressWarnings("serial")
  static final class Default extends Base {
    private final String text;
    private transient List<Integer> more;

    Default(String text, int value) {
      super(value);
      this.text = text;
      more = List.of(value);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(more.get(0));
      out.writeObject(more);
    }

    @SuppressWarnings("unchecked")
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      more = new ArrayList<>(List.of(in.readInt()));
      more.addAll((List<Integer>) in.readObject());
    }

    @Override
    public String toString() {
      return base + text + more;
    }
  }

  @SuppressWarnings("serial")
  static final class ByFields implements Serializable {
    private String text;
    private double number;

    ByFields(String text, double number) {
      this.text = text;
      this.number = number;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      fields.put("text", text + "+");
      fields.put("number", number);
      out.writeFields();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ObjectInputStream.GetField fields = in.readFields();
      text = (String) fields.get("text", "");
      number = fields.get("number", 0.0);
    }

    @Override
    public String toString() {
      return text + number;
    }
  }

  @SuppressWarnings("serial")
  static final class Replaced implements Serializable {
    private final String text;

    Replaced(String text) {
      this.text = text;
    }

    private Object writeReplace() {
      return new Form(text.length(), text);
    }

    @Override
    public String toString() {
      return "replaced " + text;
    }

    private static final class Form implements Serializable {
      private final int length;
      private final String text;

      Form(int length, String text) {
        this.length = length;
        this.text = text;
      }

      private Object readResolve() {
        return new Replaced(text + length);
      }
    }
  }

  @SuppressWarnings("serial")
  static final class Singleton implements Serializable {
    static final Singleton ONLY = new Singleton();

    private Object readResolve() {
      return ONLY;
    }

    @Override
    public String toString() {
      return "same " + (this == ONLY);
    }
  }

  public static final class External implements Externalizable {
    private String text;
    private int number;

    public External() {
      text = "made";
    }

    External(String text, int number) {
      this.text = text;
      this.number = number;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(List.of(text));
      out.writeInt(number);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      text += in.readObject();
      number = in.readInt();
    }

    @Override
    public String toString() {
      return text + number;
    }
  }

  static class Plain {
    final int initial;
    int plain;

    Plain() {
      initial = 77;
      plain = 78;
    }
  }

  @SuppressWarnings("serial")
  static final class OfPlain extends Plain implements Serializable {
    private final int value;

    OfPlain(int value) {
      this.value = value;
      plain = value;
    }

    @Override
    public String toString() {
      return initial + " " + plain + " " + value;
    }
  }

  @SuppressWarnings("serial")
  static final class Validated implements Serializable {
    private final List<Integer> numbers;
    private transient boolean valid;

    Validated(List<Integer> numbers) {
      this.numbers = numbers;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.registerValidation(this::validate, 1);
      in.defaultReadObject();
    }

    private void validate() throws InvalidObjectException {
      if (numbers.isEmpty()) {
        throw new InvalidObjectException("empty");
      }
      valid = true;
    }

    @Override
    public String toString() {
      return numbers + " " + valid;
    }
  }

  @SuppressWarnings("serial")
  final class Inner implements Serializable {
    private final String inner;

    Inner(String inner) {
      this.inner = inner;
    }

    @Override
    public String toString() {
      return inner + " in " + name;
    }
  }

  enum Planet {
    VENUS,
    EARTH,
    MARS {
      @Override
      public String toString() {
        return "red";
      }
    }
  }

  interface Named {
    String name();
  }

  @SuppressWarnings("serial")
  static final class Handler implements InvocationHandler, Serializable {
    private final String answer;

    Handler(String answer) {
      this.answer = answer;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return method.getName() + " " + answer;
    }
  }

  @SuppressWarnings("serial")
  static final class Failure extends Exception {
    private final int code;

    Failure(String message, int code) {
      super(message);
      this.code = code;
    }

    @Override
    public String getMessage() {
      return super.getMessage() + code;
    }
  }

  @SuppressWarnings("serial")
  static final class Tree implements Serializable {
    private final Tree left;
    private final Tree right;
    private final int depth;

    private Tree(Tree left, Tree right, int depth) {
      this.left = left;
      this.right = right;
      this.depth = depth;
    }

    static Tree of(int depth) {
      return depth == 0 ? null : new Tree(of(depth - 1), of(depth - 1), depth);
    }

    private int sum() {
      return depth + (left == null ? 0 : left.sum()) + (right == null ? 0 : right.sum());
    }

    @Override
    public String toString() {
      return "sum " + sum();
    }
  }
}
