package io.karmi.uka.engine.read.cost;

import java.io.InvalidObjectException;
import java.lang.invoke.SerializedLambda;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Steps of a comparison by the comparators of a message.
 *
 * <p>A comparator of the platform asks those that it is made of: fields, or values that a lambda
 * has captured. Comparators that share others, which in turn share theirs, take twice the steps at
 * each level. So the steps are counted before a class of the platform compares, and at the end of a
 * message for a program that does; counting visits each comparator once.
 *
 * <p>Comparators of a program's classes take one step; of its lambdas, also those of the
 * comparators that these have captured. Not thread-safe.
 */
public final class ComparatorCost {
  /**
   * Steps of a comparison that are not counted: a program's comparator may have as many parts, and
   * order any number of elements.
   */
  private static final long FREE_STEPS = 64;

  private static final Long NOT_KNOWN_YET = -1L;

  private final StepBudget budget;

  /** What lambdas have captured, if there are comparators among it; by identity. */
  private Map<Object, List<Object>> captured = Collections.emptyMap();

  private long slowest;

  /** Whether there are lambdas of which one comparison has not been counted. */
  private boolean unchecked;

  public ComparatorCost(StepBudget budget) {
    this.budget = budget;
  }

  void begin() {
    unchecked = false;
    if (!budget.hasObjects()) {
      captured = Collections.emptyMap();
      slowest = 0;
    }
  }

  /** Notes a lambda that has been made of its serial form. */
  public void addLambda(Object lambda, SerializedLambda form) {
    List<Object> parts = null;
    int count = countCaptured(form);
    for (int i = 0; i < count; i++) {
      Object part = form.getCapturedArg(i);
      if (isComparator(part)) {
        parts = parts == null ? new ArrayList<>(2) : parts;
        parts.add(part);
      }
    }
    if (parts != null) {
      if (captured.isEmpty()) {
        captured = new IdentityHashMap<>();
      }
      captured.put(lambda, parts);
      unchecked = true;
      budget.use();
    }
  }

  /** A form that was read without its captured values has none; the lambda may need none. */
  private static int countCaptured(SerializedLambda form) {
    try {
      return form.getCapturedArgCount();
    } catch (NullPointerException e) {
      return 0;
    }
  }

  /**
   * Counts one comparison by the message's most expensive comparator.
   *
   * @throws InvalidObjectException if it takes too many steps
   */
  public void endMessage() throws InvalidObjectException {
    if (!unchecked) {
      return;
    }
    unchecked = false;
    if (areAllFree()) {
      return;
    }
    Map<Object, Long> known = new IdentityHashMap<>();
    Object worst = captured;
    long most = 0;
    for (Object lambda : captured.keySet()) {
      long steps = stepsOf(lambda, known);
      if (steps > most) {
        most = steps;
        worst = lambda;
      }
    }
    if (most > FREE_STEPS) {
      add(most, worst);
    }
  }

  /** How the elements of a collection count that is read next; null if they are not compared. */
  public @Nullable Ordering ordering(@Nullable Object comparator) throws InvalidObjectException {
    if (comparator == null || !isCompound(comparator) || few(comparator, 0) <= FREE_STEPS) {
      return null;
    }
    Map<Object, Long> known = new IdentityHashMap<>();
    long steps = stepsOf(comparator, known);
    if (known.size() > FREE_STEPS) {
      add(known.size(), comparator);
    }
    if (known.size() >= StepBudget.DEEP) {
      budget.tellOfStack();
    }
    if (steps <= FREE_STEPS) {
      return null;
    }
    slowest = Math.max(slowest, steps - FREE_STEPS);
    budget.use();
    return new Ordering(comparator, steps - FREE_STEPS);
  }

  private boolean areAllFree() {
    for (Object lambda : captured.keySet()) {
      if (few(lambda, 0) > FREE_STEPS) {
        return false;
      }
    }
    return true;
  }

  /** Adds the steps of a comparison, as long as they are free: without a table of counts. */
  private int few(Object comparator, int counted) {
    List<Object> parts = partsOf(comparator);
    int all = counted + 1;
    for (int i = 0; i < parts.size() && all <= FREE_STEPS; i++) {
      all = few(parts.get(i), all);
    }
    return all;
  }

  /** Most steps of a comparison by a collection that has been read, if they are counted; else 0. */
  long slowest() {
    return slowest;
  }

  private void add(long steps, Object comparator) throws InvalidObjectException {
    budget.add(steps, comparator.getClass(), "comparing with a comparator that has others in it");
  }

  private boolean isComparator(@Nullable Object value) {
    return value instanceof Comparator || (value != null && captured.containsKey(value));
  }

  /** Whether a comparator may ask others. */
  private boolean isCompound(Object comparator) {
    return captured.containsKey(comparator) || hasFields(comparator);
  }

  private static boolean hasFields(Object value) {
    Class<?> type = value.getClass();
    return value instanceof Comparator
        && !HashShape.isOfProgram(type)
        && !type.isHidden()
        && !(value instanceof Enum);
  }

  /** Steps of a comparison; of comparators that contain each other, beyond any budget. */
  private long stepsOf(Object comparator, Map<Object, Long> known) {
    Long counted = known.get(comparator);
    if (counted != null) {
      return counted;
    }
    /* Not by recursion: a chain may be longer than the stack is deep. */
    Deque<Visit> path = new ArrayDeque<>();
    path.push(visit(comparator, known));
    for (; ; ) {
      Visit last = path.element();
      if (last.next < last.parts.size()) {
        Object part = last.parts.get(last.next++);
        Long steps = known.get(part);
        if (steps == null) {
          path.push(visit(part, known));
        } else {
          last.add(steps.equals(NOT_KNOWN_YET) ? Long.MAX_VALUE : steps);
        }
      } else {
        path.pop();
        known.put(last.comparator, last.steps);
        if (path.isEmpty()) {
          return last.steps;
        }
        path.element().add(last.steps);
      }
    }
  }

  private Visit visit(Object comparator, Map<Object, Long> known) {
    known.put(comparator, NOT_KNOWN_YET);
    return new Visit(comparator, partsOf(comparator));
  }

  private List<Object> partsOf(Object comparator) {
    List<Object> parts = captured.get(comparator);
    if (parts != null) {
      return parts;
    }
    if (!hasFields(comparator)) {
      return List.of();
    }
    List<Object> fields = new ArrayList<>(1);
    for (Object field : References.of(comparator)) {
      if (isComparator(field)) {
        fields.add(field);
      }
    }
    return fields;
  }

  /** A comparator whose parts are being counted. */
  private static final class Visit {
    final Object comparator;
    final List<Object> parts;
    int next;
    long steps = 1;

    Visit(Object comparator, List<Object> parts) {
      this.comparator = comparator;
      this.parts = parts;
    }

    void add(long more) {
      steps = more > Long.MAX_VALUE - steps ? Long.MAX_VALUE : steps + more;
    }
  }

  /** Comparisons of a collection's elements while they are read. */
  public final class Ordering {
    private final Object comparator;
    private final long steps;
    private int elements;

    private Ordering(Object comparator, long steps) {
      this.comparator = comparator;
      this.steps = steps;
    }

    /** An element has been read: it is compared with as many as there are levels of a tree. */
    public void addElement() throws InvalidObjectException {
      elements++;
      int levels = Integer.SIZE - Integer.numberOfLeadingZeros(elements);
      ComparatorCost.this.add(
          steps > Integer.MAX_VALUE ? Long.MAX_VALUE : steps * levels, comparator);
    }
  }
}
