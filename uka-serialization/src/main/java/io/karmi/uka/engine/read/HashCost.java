package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.handle.ReadHandleTable;
import io.karmi.uka.type.LocalClass;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Budget of steps to hash the collections of a message.
 *
 * <p>A collection's hash is made of its elements' hashes, each time anew. Sets that share their
 * elements, in turn sets that share theirs, take twice the steps at each level: a few hundred bytes
 * could keep a processor busy for years. So the steps are counted before a class of the JDK hashes
 * a collection; counting visits each collection once. A message has a fixed budget, and more for
 * each object in it. No count is kept, as a collection that is still being read may grow.
 *
 * <p>Only objects of the JDK count whose hash is made of the hashes of others: collections, and
 * objects with fields that lead to any object. Those of a program do not. Not thread-safe.
 */
public final class HashCost {
  /** Steps of any message: a fraction of a second. */
  private static final long MAXIMUM_STEPS = 1 << 24;

  /** Steps in addition for each handle of the message. */
  private static final long STEPS_PER_HANDLE = 1 << 8;

  /** In the place of a count: the collection is being visited. */
  private static final Long NOT_KNOWN_YET = -1L;

  /** Largest table of counts that is used again; to empty a larger one takes time. */
  private static final int FEW = 64;

  private static final ClassValue<HashShape> SHAPES =
      new ClassValue<>() {
        @Override
        protected HashShape computeValue(Class<?> type) {
          return HashShape.of(type);
        }
      };

  /** Steps of a message, and more for each of its handles, of which the source is not told. */
  private static final long FREE_STEPS = 1 << 12;

  private static final long FREE_STEPS_PER_HANDLE = 1 << 4;

  private final ReadHandleTable handles;
  private final InputBuffer source;

  /** What objects have read in methods of their own, beside their fields. */
  private final Map<Object, List<@Nullable Object>> parts = new IdentityHashMap<>();

  /** Counts for the current value; empty between values. */
  private @Nullable IdentityHashMap<Object, Long> known;

  /** Visits of collections for it, more than one each if they contain themselves. */
  private long visits;

  /** Whether a collection has been met within itself. */
  private boolean circular;

  private long steps;

  /** How many of them the source has been told. */
  private long told;

  /** Class of the last value that needed no count; most keys are of one class. */
  private @Nullable Class<?> cheap;

  public HashCost(ReadHandleTable handles, InputBuffer source) {
    this.handles = handles;
    this.source = source;
  }

  /** A message begins. */
  public void begin() {
    steps = 0;
    told = 0;
    /* To clear an empty map takes as long as to read a small object. */
    if (handles.size() == 0 && !parts.isEmpty()) {
      parts.clear();
    }
  }

  /**
   * Whether what a {@code readObject} method of the class reads has to be {@link #addPart told}.
   */
  static boolean hasParts(Class<?> type) {
    return SHAPES.get(type) == HashShape.FIELDS;
  }

  /** Notes a value that an object's method has read, as the object's hash may be made of it. */
  void addPart(Object owner, @Nullable Object part) {
    if (part != null && SHAPES.get(part.getClass()) != HashShape.LEAF) {
      parts.computeIfAbsent(owner, unused -> new ArrayList<>(1)).add(part);
    }
  }

  /** Counts a value that may be hashed next. */
  public void add(@Nullable Object value) throws InvalidObjectException {
    if (value != null && value.getClass() != cheap) {
      addOther(value);
    }
  }

  private void addOther(Object value) throws InvalidObjectException {
    if (SHAPES.get(value.getClass()) != HashShape.LEAF) {
      count(value);
    } else {
      cheap = value.getClass();
    }
  }

  private void count(Object value) throws InvalidObjectException {
    long most = MAXIMUM_STEPS + STEPS_PER_HANDLE * handles.size();
    IdentityHashMap<Object, Long> counts = known;
    if (counts == null) {
      counts = new IdentityHashMap<>();
      known = counts;
    }
    visits = 0;
    steps += stepsOf(value, counts, most);
    if (counts.size() > FEW) {
      known = null;
    } else {
      counts.clear();
    }
    if (steps > most) {
      throw new InvalidObjectException(
          value.getClass().getName()
              + ": collections within each other would take more than "
              + most
              + " steps to hash");
    }
    long many = steps - FREE_STEPS - FREE_STEPS_PER_HANDLE * handles.size();
    if (many > told) {
      long more = many - told;
      told = many;
      source.hash(more);
    }
  }

  /** Steps of a hash, or a number beyond the budget. */
  private long stepsOf(@Nullable Object value, IdentityHashMap<Object, Long> counts, long most) {
    if (value == null || SHAPES.get(value.getClass()) == HashShape.LEAF) {
      return 1;
    }
    Long counted = counts.putIfAbsent(value, NOT_KNOWN_YET);
    if (counted != null) {
      circular |= counted < 0;
      return Math.abs(counted);
    }
    visits++;
    boolean outerCircular = circular;
    circular = false;
    long all = visits > most ? visits : stepsWithin(value, counts, most);
    if (circular) {
      counts.remove(value); /* From elsewhere, the way back does not end at once. */
    } else {
      counts.put(value, all);
    }
    circular |= outerCircular;
    return all;
  }

  private long stepsWithin(Object value, IdentityHashMap<Object, Long> counts, long most) {
    try {
      if (value instanceof Map.Entry<?, ?> entry) {
        return 1 + stepsOf(entry.getKey(), counts, most) + stepsOf(entry.getValue(), counts, most);
      }
      if (value instanceof Map<?, ?> map) {
        return stepsOfAll(map.keySet(), counts, most) + stepsOfAll(map.values(), counts, most);
      }
      return value instanceof Collection<?> collection
          ? stepsOfAll(collection, counts, most)
          : stepsOfAll(fieldsOf(value), counts, most)
              + stepsOfAll(parts.getOrDefault(value, List.of()), counts, most);
    } catch (RuntimeException e) {
      return 1; /* It is being read: a hash would fail in the same way. */
    }
  }

  private long stepsOfAll(
      Iterable<? extends @Nullable Object> values,
      IdentityHashMap<Object, Long> counts,
      long most) {
    long all = 1;
    for (Object element : values) {
      all += stepsOf(element, counts, most);
      if (all > most) {
        break;
      }
    }
    return all;
  }

  /** The references of an object's serializable fields, and the elements of arrays among them. */
  private static List<@Nullable Object> fieldsOf(Object value) {
    List<@Nullable Object> all = new ArrayList<>();
    for (LocalClass level = LocalClass.of(value.getClass());
        level != null;
        level = level.superclass) {
      try {
        FieldAccess access = LocalFields.of(level).access(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < access.references(); i++) {
          addReference(all, access.getReference(value, i));
        }
      } catch (InvalidClassException e) {
        /* Its fields cannot be reached, so no stream has set them either. */
      }
    }
    return all;
  }

  private static void addReference(List<@Nullable Object> all, @Nullable Object reference) {
    if (reference instanceof Object[] array) {
      all.addAll(Arrays.asList(array));
    } else {
      all.add(reference);
    }
  }
}
