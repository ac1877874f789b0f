package io.karmi.uka.engine.read;

import io.karmi.uka.handle.ReadHandleTable;
import java.io.InvalidObjectException;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The steps that a message may take to hash the collections in it.
 *
 * <p>A collection's hash is made of those of its elements, each time anew. Sets that share their
 * elements, in turn sets that share theirs, take twice the steps at each level: a few hundred bytes
 * could keep a processor busy for years. So before a collection is hashed by a class of the JDK's
 * it is counted how many steps that takes, which is quick: each collection is gone through once. A
 * message may take a number of steps that is large for any, and more for each object in it.
 *
 * <p>Collections of the JDK's count, and nothing else: what a program's own {@code hashCode} does
 * is its own. Not thread-safe.
 */
public final class HashCost {
  /** How many steps a message may take: a fraction of a second. */
  private static final long MOST_STEPS = 1 << 24;

  /** How many more for each handle that has been given. */
  private static final long STEPS_PER_HANDLE = 1 << 8;

  /** Counts up to this many steps are not kept: they are counted again each time. */
  private static final int FEW = 64;

  /** Which classes' hashes are made of those of what is in them. */
  private static final ClassValue<Boolean> COUNTS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          String packageName = type.getPackageName();
          return type.getClassLoader() == null
              && (packageName.equals("java.util") || packageName.equals("java.util.concurrent"))
              && (Collection.class.isAssignableFrom(type)
                  || Map.class.isAssignableFrom(type)
                  || Map.Entry.class.isAssignableFrom(type));
        }
      };

  private final ReadHandleTable handles;
  private @Nullable IdentityHashMap<Object, Long> known;
  private long steps;

  /** The class of the last value that needed no count: most keys have the class of the last. */
  private @Nullable Class<?> cheap;

  public HashCost(ReadHandleTable handles) {
    this.handles = handles;
  }

  /** A message begins. */
  public void begin() {
    known = null;
    steps = 0;
  }

  /** A value has been read that may be hashed next. */
  public void add(@Nullable Object value) throws InvalidObjectException {
    if (value != null && value.getClass() != cheap) {
      addOther(value);
    }
  }

  private void addOther(Object value) throws InvalidObjectException {
    if (COUNTS.get(value.getClass())) {
      count(value);
    } else {
      cheap = value.getClass();
    }
  }

  private void count(Object value) throws InvalidObjectException {
    long most = MOST_STEPS + STEPS_PER_HANDLE * handles.size();
    if (known == null) {
      known = new IdentityHashMap<>();
    }
    steps += stepsOf(value, known, most);
    if (steps > most) {
      throw new InvalidObjectException(
          value.getClass().getName()
              + ": collections within each other would take more than "
              + most
              + " steps to hash");
    }
  }

  /** How many steps a hash takes, or a number that is too large. */
  private static long stepsOf(
      @Nullable Object value, IdentityHashMap<Object, Long> known, long most) {
    if (value == null || !COUNTS.get(value.getClass())) {
      return 1;
    }
    Long counted = known.get(value);
    if (counted != null) {
      return counted;
    }
    known.put(value, 1L); /* Should it contain itself. */
    long all = 1;
    try {
      if (value instanceof Map.Entry<?, ?> entry) {
        all += stepsOf(entry.getKey(), known, most) + stepsOf(entry.getValue(), known, most);
      } else if (value instanceof Map<?, ?> map) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          all += stepsOf(entry.getKey(), known, most) + stepsOf(entry.getValue(), known, most);
          if (all > most) {
            break;
          }
        }
      } else {
        for (Object element : (Collection<?>) value) {
          all += stepsOf(element, known, most);
          if (all > most) {
            break;
          }
        }
      }
    } catch (RuntimeException e) {
      /* It is being read: a hash would fail in the same way. */
      return all;
    }
    if (all > FEW) {
      known.put(value, all);
    } else {
      known.remove(value);
    }
    return all;
  }
}
