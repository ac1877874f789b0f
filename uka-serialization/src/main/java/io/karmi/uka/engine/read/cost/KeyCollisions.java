package io.karmi.uka.engine.read.cost;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Comparisons of the keys of one hash table with each other while it is read.
 *
 * <p>Keys of one hash are compared, in numbers that grow as the square. Where all are of one class
 * that compares itself, a tree of the JDK's tables spares that, and they do not count. Of others
 * each counts with those before it that have about the same hash. Not thread-safe.
 */
public final class KeyCollisions {
  /** Keys of a table that do not count. */
  static final int FREE_KEYS = 1 << 9;

  /** Comparisons that take about as long as a step. */
  private static final int COMPARISONS_PER_STEP = 2;

  /** The same where keys lie one behind the other in an array; boxes compare faster than others. */
  private static final int PROBES_PER_STEP = 8;

  private static final int PROBES_OF_BOXES_PER_STEP = 64;

  /** Comparisons that are added to the budget at a time. */
  private static final int MANY = 1 << 12;

  /** Logarithm of the number of counts: keys with different hashes may share one. */
  private static final int COUNT_BITS = 11;

  private static final ClassValue<Boolean> COMPARES_ITSELF =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return Arrays.stream(type.getGenericInterfaces())
              .anyMatch(
                  each ->
                      each instanceof ParameterizedType generic
                          && generic.getRawType() == Comparable.class
                          && generic.getActualTypeArguments()[0] == type);
        }
      };

  private final StepBudget budget;
  private final boolean ordersKeys;

  /** The keys that are in the table already; null if these cannot be gone through. */
  private final @Nullable Collection<?> before;

  private final boolean ofMap;
  private boolean valueNext;

  /** Number of keys by their hash; null as long as none counts. */
  private int @Nullable [] counts;

  private int keys;
  private @Nullable Class<?> first;

  /**
   * Class of keys that need not even be noted, as long as no others come; null if there is none.
   */
  private @Nullable Class<?> ordered;

  /** Whether a key has come that the table does not order. */
  private boolean unordered;

  private long comparisons;

  private KeyCollisions(
      StepBudget budget, boolean ordersKeys, @Nullable Collection<?> before, boolean ofMap) {
    this.budget = budget;
    this.ordersKeys = ordersKeys;
    this.before = before;
    this.ofMap = ofMap;
  }

  /**
   * Counts the keys of a {@code HashMap}.
   *
   * @param before the keys that are in it when one is added
   */
  static KeyCollisions of(StepBudget budget, Collection<?> before) throws InvalidObjectException {
    KeyCollisions made = new KeyCollisions(budget, true, before, false);
    if (!before.isEmpty()) {
      made.noteFirst(before);
    }
    return made;
  }

  /**
   * Counts what a table reads itself, by {@link #addNext}.
   *
   * @param ordersKeys whether it makes trees of keys that compare themselves
   * @param ofMap whether a value comes behind each key
   */
  static KeyCollisions ofNext(StepBudget budget, boolean ordersKeys, boolean ofMap) {
    return new KeyCollisions(budget, ordersKeys, null, ofMap);
  }

  /** Counts keys that enter the table next, each {@code step}th of an array's beginning. */
  public void addAll(@Nullable Object[] next, int length, int step) throws InvalidObjectException {
    for (int i = 0; i < length; i += step) {
      add(next[i]);
    }
  }

  /** Counts what the table reads next: a key, or in turn keys and values. */
  public void addNext(@Nullable Object next) throws InvalidObjectException {
    if (!valueNext) {
      add(next);
    }
    valueNext = ofMap && !valueNext;
  }

  /** Counts a key that enters the table next. */
  public void add(@Nullable Object key) throws InvalidObjectException {
    if (key != null && key.getClass() != ordered) {
      addOther(key);
    }
  }

  private void addOther(Object key) throws InvalidObjectException {
    Class<?> type = key.getClass();
    if (type != first) {
      Class<?> earlier = ordered;
      meet(type);
      if (earlier != null && before != null) {
        noteFirst(before);
      }
    }
    if (type != ordered && ++keys > FREE_KEYS) {
      note(key);
    }
  }

  private void meet(Class<?> type) {
    unordered |= first != null || !ordersKeys || !COMPARES_ITSELF.get(type);
    first = type;
    ordered = unordered || before == null ? null : type;
  }

  private void noteFirst(Collection<?> all) throws InvalidObjectException {
    for (Object each : all) {
      add(each);
    }
  }

  private void note(Object key) throws InvalidObjectException {
    if (counts == null) {
      counts = new int[1 << COUNT_BITS];
    }
    int others = counts[key.hashCode() * 0x9E3779B9 >>> Integer.SIZE - COUNT_BITS]++;
    /* Twice as many as any honest keys have that share a count. */
    others -= keys >>> COUNT_BITS - 1;
    if (unordered && others > 0) {
      comparisons += others;
      if (comparisons >= MANY) {
        budget.tell(comparisons / COMPARISONS_PER_STEP);
        comparisons = 0;
      }
    }
  }

  /**
   * Counts a set or a map that {@code Set.of} or {@code Map.of} makes of these: each key takes the
   * first free place from that of its hash on.
   *
   * @param step 2 if each second one is a value, else 1
   */
  static void addProbes(StepBudget budget, @Nullable Object[] elements, int step)
      throws IOException {
    int places = 2 * (elements.length / step);
    budget.takeMemory((long) places * Integer.BYTES);
    int[] wanted = new int[places];
    boolean boxes = true;
    for (int i = 0; i < elements.length; i += step) {
      Object key = elements[i];
      if (key != null) { // else it fails
        wanted[Math.floorMod(key.hashCode(), places)]++;
        boxes &= key instanceof Number || key instanceof Character;
      }
    }
    long probes = 0;
    long waiting = 0;
    for (int each : wanted) {
      waiting = Math.max(0, waiting + each - 1);
      probes += waiting;
    }
    for (int i = 0; waiting > 0; i++) { // the end goes on at the beginning
      waiting = Math.max(0, waiting + wanted[i] - 1);
      probes += waiting;
    }
    budget.tell(probes / (boxes ? PROBES_OF_BOXES_PER_STEP : PROBES_PER_STEP));
  }
}
