package io.karmi.uka.engine.read.cost;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Elements that the {@code readObject} of {@code List.of} and the like has read. At its end {@code
 * Set.of} or {@code Map.of} makes a table of them. Not thread-safe.
 */
public final class LaterTable {
  /* Lowest byte of the tag of the JDK's serial proxy. */
  private static final int SET = 2;
  private static final int MAP = 3;

  private final HashCost cost;
  private final int step;
  private final List<@Nullable Object> elements = new ArrayList<>();

  private LaterTable(HashCost cost, int step) {
    this.cost = cost;
    this.step = step;
  }

  /** The elements that come behind this tag; null if no table is made of them. */
  static @Nullable LaterTable of(HashCost cost, int tag) {
    return switch (tag & 0xFF) {
      case SET -> new LaterTable(cost, 1);
      case MAP -> new LaterTable(cost, 2);
      default -> null;
    };
  }

  /** Notes what comes next. */
  public void add(@Nullable Object next) {
    elements.add(next);
  }

  /**
   * Counts what the table will take.
   *
   * @throws IOException if that would take too many steps
   */
  public void count() throws IOException {
    cost.addProbes(elements.toArray(), step);
  }
}
