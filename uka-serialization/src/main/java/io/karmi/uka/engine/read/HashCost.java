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
 * message may take a number of steps that is large for any, and more for each object in it. No
 * count is kept: a collection that is still being read may have more elements when it is hashed
 * again.
 *
 * <p>Collections of the JDK's count whose hash is made of their elements, and nothing else: what a
 * program's own {@code hashCode} does is its own. Not thread-safe.
 */
public final class HashCost {
  /** How many steps a message may take: a fraction of a second. */
  private static final long MOST_STEPS = 1 << 24;

  /** How many more for each handle that has been given. */
  private static final long STEPS_PER_HANDLE = 1 << 8;

  /** The steps of a collection that is being gone through. */
  private static final Long NOT_KNOWN_YET = -1L;

  /** A table of counts that is larger than this is not used again: emptying it takes time. */
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

  /** What has been counted for the value at hand, and is emptied then. */
  private @Nullable IdentityHashMap<Object, Long> known;

  /** Collections that were gone through for it; more than once if they contain themselves. */
  private long visits;

  /** Whether a collection has been met within itself. */
  private boolean circular;

  private long steps;

  /** The class of the last value that needed no count: most keys have the class of the last. */
  private @Nullable Class<?> cheap;

  public HashCost(ReadHandleTable handles) {
    this.handles = handles;
  }

  /** A message begins. */
  public void begin() {
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

  /** How many steps a hash takes, or a number that is too large. */
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
