package jobs;

import java.io.Serializable;
import java.util.List;

/** The sum of one key, of a type that Flink knows nothing of. Immutable. */
public final class Sum implements Serializable {
  private static final long serialVersionUID = 1;

  private final int key;
  private final long total;
  private final List<Long> last;

  private Sum(int key, long total, List<Long> last) {
    this.key = key;
    this.total = total;
    this.last = last;
  }

  static Sum of(int key) {
    return new Sum(key, 0, List.of());
  }

  Sum plus(long number) {
    return new Sum(key, total + number, List.of(number));
  }

  @Override
  public String toString() {
    return "key " + key + " total " + total + " last " + last;
  }
}
