package io.karmi.uka.engine.read;

import io.karmi.uka.handle.ReadHandleTable;
import java.io.InvalidObjectException;
import java.util.Collection;
import java.util.IdentityHashMap;
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
 * <p>Only collections of the JDK count whose hash is made of their elements, not those of a
 * program. Not thread-safe.
 */
public final class HashCost {
  /** Steps of any message: a fraction of a second. */
  private static final long MOST_STEPS = 1 << 24;

  /** Steps in addition for each handle of the message. */
  private static final long STEPS_PER_HANDLE = 1 << 8;

  /** In the place of a count: the collection is being visited. */
  private static final Long NOT_KNOWN_YET = -1L;

  /** Largest table of counts that is used again; to empty a larger one takes time. */
  private static final int FEW = 64;

  /** Whether the hash of a class's objects is made of their elements' hashes. */
  private static final ClassValue<Boolean> COUNTS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          String packageName = type.getPackageName();
          return type.getClassLoader() == null
              && (packageName.equals("java.util") || packageName.equals("java.util.concurrent"))
              && (Collection.class.isAssignableFrom(type)
                  || Map.class.isAssignableFrom(type)
                  || Map.Entry.class.isAssignableFrom(type))
              && !IdentityHashMap.class.isAssignableFrom(type)
              && hashesElements(type);
        }

        /** Queues, for example, have the hash of any object. */
        private boolean hashesElements(Class<?> type) {
          try {
            return type.getMethod("hashCode").getDeclaringClass() != Object.class;
          } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
          }
        }
      };

  private final ReadHandleTable handles;

  /** Counts for the current value; empty between values. */
  private @Nullable IdentityHashMap<Object, Long> known;

  /** Visits of collections for it, more than one each if they contain themselves. */
  private long visits;

  /** Whether a collection has been met within itself. */
  private boolean circular;

  private long steps;

  /** Class of the last value that needed no count; most keys are of one class. */
  private @Nullable Class<?> cheap;

  public HashCost(ReadHandleTable handles) {
    this.handles = handles;
  }

  /** A message begins. */
  public void begin() {
    steps = 0;
  }

  /** Counts a value that may be hashed next. */
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
  }

  /** Steps of a hash, or a number beyond the budget. */
  private long stepsOf(@Nullable Object value, IdentityHashMap<Object, Long> counts, long most) {
    if (value == null || !COUNTS.get(value.getClass())) {
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
    long all = 1;
    try {
      if (value instanceof Map.Entry<?, ?> entry) {
        all += stepsOf(entry.getKey(), counts, most) + stepsOf(entry.getValue(), counts, most);
      } else if (value instanceof Map<?, ?> map) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          all += stepsOf(entry.getKey(), counts, most) + stepsOf(entry.getValue(), counts, most);
          if (all > most) {
            break;
          }
        }
      } else {
        for (Object element : (Collection<?>) value) {
          all += stepsOf(element, counts, most);
          if (all > most) {
            break;
          }
        }
      }
    } catch (RuntimeException e) {
      /* It is being read: a hash would fail in the same way. */
    }
    return all;
  }
}
