package beside;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Each of its hooks is called by the streams alone. */
public final class Basket implements Serializable {
  /** A line of a basket. */
  public record Line(String name, int cents) implements Serializable {
    public Line {
      if (cents < 0) {
        throw new IllegalArgumentException(name);
      }
    }
  }

  /** One of a kind. */
  public static final class Empty implements Serializable {
    public static final Empty INSTANCE = new Empty();

    private Object readResolve() {
      return INSTANCE;
    }
  }

  public final List<Line> lines = new ArrayList<>();
  public Object bag = Empty.INSTANCE;
  public transient int total;

  public Basket add(String name, int cents) {
    lines.add(new Line(name, cents));
    return this;
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    for (Line each : lines) {
      total += each.cents();
    }
  }

  private boolean isNeverCalled() {
    return lines.isEmpty();
  }
}
