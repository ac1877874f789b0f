package io.karmi.uka.engine.read.cost;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Steps to hash the collections of a message.
 *
 * <p>A collection's hash is made of its elements' hashes, each time anew. Sets that share their
 * elements, in turn sets that share theirs, take twice the steps at each level: a few hundred bytes
 * could keep a processor busy for years. So the steps are counted before a class of the JDK hashes
 * a collection; counting visits each collection once. No count is kept, as a collection that is
 * still being read may grow.
 *
 * <p>Only objects of the JDK count whose hash is made of the hashes of others: collections, and
 * objects with fields that lead to any object. Those of a program do not. Not thread-safe.
 */
public final class HashCost {
  /** In the place of a count: the collection is being visited. */
  private static final Long NOT_KNOWN_YET = -1L;

  /** Largest table of counts that is used again; to empty a larger one takes time. */
  private static final int FEW = 64;

  /** Comparisons by which a part of a sorted map finds its first and its last key, at most. */
  private static final int SEARCH = 2 * Integer.SIZE;

  /** Bits of a number that are hashed in about the time of a step within a collection. */
  private static final int BITS_PER_STEP = 1 << 11;

  /** Looks at objects, to count steps, that are added to the budget at a time. */
  private static final int LOOKS = 1 << 10;

  private static final ClassValue<HashShape> SHAPES = shapes(HashShape::of);

  private static final ClassValue<HashShape> SHAPES_OF_CONTENT = shapes(HashShape::ofContent);

  private final StepBudget budget;
  private final ComparatorCost comparators;

  /** What objects have read in methods of their own, beside their fields; by identity. */
  private Map<Object, List<@Nullable Object>> parts = Collections.emptyMap();

  /** Counts for the current value; empty between values. */
  private @Nullable IdentityHashMap<Object, Long> known;

  /**
   * Looks at objects to count its steps. They count while they are made: objects that contain
   * themselves are visited from each side, and a collection may have more elements than there are
   * bytes.
   */
  private long looks;

  /** Whether a collection has been met within itself. */
  private boolean circular;

  /** Objects of the current value that are being visited, one within the other. */
  private int depth;

  /** Whether the steps of a full stack have been counted for the current value. */
  private boolean fillsStack;

  /** Class of the last value that needed no count; most keys are of one class. */
  private @Nullable Class<?> cheap;

  private final ClassValue<HashShape> shapes;

  /** What takes the steps. */
  private final String doing;

  public HashCost(StepBudget budget, ComparatorCost comparators) {
    this(budget, comparators, SHAPES, "hashing");
  }

  private HashCost(
      StepBudget budget, ComparatorCost comparators, ClassValue<HashShape> shapes, String doing) {
    this.budget = budget;
    this.comparators = comparators;
    this.shapes = shapes;
    this.doing = doing + " objects that have others in them";
  }

  private static ClassValue<HashShape> shapes(Function<Class<?>, HashShape> of) {
    return new ClassValue<>() {
      @Override
      protected HashShape computeValue(Class<?> type) {
        return of.apply(type);
      }
    };
  }

  /**
   * Refuses a value of which a method that visits all its parts would visit more than the length of
   * the message explains: one that is in several places counts as often. Its parts are what fields,
   * collections and arrays of the platform's classes lead to.
   */
  public void checkVisits(Object value) throws InvalidObjectException {
    ofContent().refuseLong(value);
  }

  /**
   * Counts the visits of a method that goes through all parts of a value, as above: these may be
   * objects whose methods go through theirs.
   */
  public void addVisits(Object value) throws InvalidObjectException {
    HashCost content = ofContent();
    content.parts = parts;
    content.addOther(value);
  }

  private HashCost ofContent() {
    return new HashCost(budget, comparators, SHAPES_OF_CONTENT, "visiting");
  }

  private void refuseLong(Object value) throws InvalidObjectException {
    long most = budget.free();
    long steps = stepsOf(value, new IdentityHashMap<>(), most);
    if (steps <= most && !circular) {
      return;
    }
    throw new InvalidObjectException(
        value.getClass().getName()
            + ": its parts contain each other so often that to visit all takes more than "
            + most
            + " steps; send one whose parts are in fewer places");
  }

  /** A message begins. */
  public void begin() {
    if (!parts.isEmpty() && !budget.hasObjects()) {
      parts = Collections.emptyMap();
    }
    comparators.begin();
    budget.begin();
  }

  /**
   * Whether what a {@code readObject} method of the class reads has to be {@link #addPart told}.
   */
  public static boolean hasParts(Class<?> type) {
    return SHAPES.get(type) == HashShape.FIELDS;
  }

  /** Notes a value that an object's method has read, as the object's hash may be made of it. */
  public void addPart(Object owner, @Nullable Object part) {
    if (part != null && SHAPES.get(part.getClass()) != HashShape.LEAF) {
      if (parts.isEmpty()) {
        parts = new IdentityHashMap<>();
      }
      parts.computeIfAbsent(owner, unused -> new ArrayList<>(1)).add(part);
      budget.use();
    }
  }

  /**
   * Counts the keys of a {@code HashMap} that is being read; null if these need not be counted.
   *
   * @param size how many there are to be
   * @param before those that it has already
   */
  public @Nullable KeyCollisions collisions(int size, Collection<?> before)
      throws InvalidObjectException {
    return size > KeyCollisions.FREE_KEYS && budget.isBounded()
        ? KeyCollisions.of(budget, before)
        : null;
  }

  /**
   * Counts the keys of a table that reads them itself; null if these need not be counted.
   *
   * @param ordersKeys whether it makes trees of keys that compare themselves
   * @param ofMap whether it reads a value behind each
   */
  public @Nullable KeyCollisions collisions(boolean ordersKeys, boolean ofMap) {
    return budget.isBounded() ? KeyCollisions.ofNext(budget, ordersKeys, ofMap) : null;
  }

  /**
   * Counts a set or a map that {@code Set.of} or {@code Map.of} makes next.
   *
   * @param step 2 if each second element is a value, else 1
   */
  public void addProbes(@Nullable Object[] elements, int step) throws IOException {
    if (elements.length / step > KeyCollisions.FREE_KEYS && budget.isBounded()) {
      KeyCollisions.addProbes(budget, elements, step);
    }
  }

  /** Whether anything counts. */
  public boolean isBounded() {
    return budget.isBounded();
  }

  /** What the JDK's serial proxy of this tag reads next; null if no table is made of it. */
  public @Nullable LaterTable laterTable(int tag) {
    return LaterTable.of(this, tag);
  }

  /** Counts a value that may be hashed next, and compared with one of the same hash. */
  public void add(@Nullable Object value) throws InvalidObjectException {
    if (value instanceof String) {
      addText(value);
    } else if (value != null && value.getClass() != cheap) {
      addOther(value);
    }
  }

  /** Counts a string, which knows its hash. */
  void addText(Object text) throws InvalidObjectException {
    long steps = ContentCost.stepsToCompare(text);
    if (steps > 0) {
      budget.add(steps, text.getClass(), "comparing long keys");
    }
  }

  private void addLeaf(Object value) throws InvalidObjectException {
    if (ContentCost.isLong(value.getClass())) {
      addText(value);
    } else {
      cheap = value.getClass();
    }
  }

  private void addOther(Object value) throws InvalidObjectException {
    switch (shapes.get(value.getClass())) {
      case LEAF -> addLeaf(value);
      case SIZED -> budget.add(stepsOfSized(value), value.getClass(), "hashing numbers");
      default -> count(value);
    }
  }

  private static long stepsOfSized(Object value) {
    long bits =
        value instanceof BigInteger number
            ? number.bitLength()
            : value instanceof BigDecimal decimal
                ? decimal.unscaledValue().bitLength()
                : ((BitSet) value).length();
    return 1 + bits / BITS_PER_STEP;
  }

  private void count(Object value) throws InvalidObjectException {
    IdentityHashMap<Object, Long> counts = known == null ? new IdentityHashMap<>() : known;
    known = null; // a count that fails leaves it as it is
    looks = 0;
    circular = false;
    depth = 0;
    fillsStack = false;
    long steps = stepsOf(value, counts, budget.most());
    if (counts.size() <= FEW) {
      counts.clear();
      known = counts;
    }
    budget.add(Math.max(0, steps - looks / LOOKS * LOOKS), value.getClass(), doing);
  }

  /** Steps of a hash, or a number beyond the budget. */
  private long stepsOf(@Nullable Object value, IdentityHashMap<Object, Long> counts, long most)
      throws InvalidObjectException {
    looks++;
    if (looks % LOOKS == 0) {
      budget.add(LOOKS, value == null ? Object.class : value.getClass(), doing);
    }
    HashShape shape = value == null ? HashShape.LEAF : shapes.get(value.getClass());
    if (value == null || shape == HashShape.LEAF) {
      return value == null ? 1 : 1 + ContentCost.stepsToCompare(value);
    }
    if (shape == HashShape.SIZED) {
      return stepsOfSized(value);
    }
    Long counted = counts.putIfAbsent(value, NOT_KNOWN_YET);
    if (counted != null) {
      if (counted < 0) {
        circular = true;
        addStack();
      }
      return Math.abs(counted);
    }
    if (++depth == StepBudget.DEEP) {
      addStack();
    }
    boolean outerCircular = circular;
    circular = false;
    long all = looks > most ? looks : stepsWithin(value, shape, counts, most);
    if (circular) {
      counts.remove(value); /* From elsewhere, the way back does not end at once. */
    } else {
      counts.put(value, all);
    }
    circular |= outerCircular;
    depth--;
    return all;
  }

  /** Counts, once for a value, what it takes until the stack is full: before it is. */
  private void addStack() throws InvalidObjectException {
    if (!fillsStack) {
      fillsStack = true;
      budget.tellOfStack();
    }
  }

  private long stepsWithin(
      Object value, HashShape shape, IdentityHashMap<Object, Long> counts, long most)
      throws InvalidObjectException {
    try {
      if (value instanceof Map.Entry<?, ?> entry) {
        return 1 + stepsOf(entry.getKey(), counts, most) + stepsOf(entry.getValue(), counts, most);
      }
      long compare = shape == HashShape.SORTED ? comparators.slowest() : 0;
      if (compare > most / SEARCH) {
        return most + 1;
      }
      if (value instanceof Map<?, ?> map) {
        return stepsOfAll(map.keySet(), compare, counts, most)
            + stepsOfAll(map.values(), compare, counts, most);
      }
      return value instanceof Collection<?> collection
          ? stepsOfAll(collection, compare, counts, most)
          : stepsOfAll(References.of(value), 0, counts, most)
              + stepsOfAll(parts.getOrDefault(value, List.of()), 0, counts, most);
    } catch (RuntimeException e) {
      return 1; /* It is being read: a hash would fail in the same way. */
    }
  }

  /**
   * Steps of a collection's hash.
   *
   * @param compare steps of a comparison, if it compares to find its elements
   */
  private long stepsOfAll(
      Iterable<? extends @Nullable Object> values,
      long compare,
      IdentityHashMap<Object, Long> counts,
      long most)
      throws InvalidObjectException {
    long all = 1 + SEARCH * compare;
    for (Object element : values) {
      all += stepsOf(element, counts, most) + compare;
      if (all > most) {
        break;
      }
    }
    return all;
  }
}
