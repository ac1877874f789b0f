package io.karmi.uka.engine.read.cost;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a method of the platform's takes for the values that it reads, while it runs: {@code
 * readObject} or {@code readExternal}, which may hash them or compare them. Those of programs are
 * not counted. Not thread-safe.
 */
public final class MethodCost {
  /**
   * Classes of the JDK whose {@code readObject} allocates by a length from the stream, with the
   * number of {@code readInt} calls before that length.
   */
  private static final Map<String, Integer> LENGTHS =
      Map.of(
          "java.util.ArrayDeque", 0,
          "java.util.CollSer", 0,
          "java.util.IdentityHashMap", 0,
          "java.util.concurrent.CopyOnWriteArrayList", 0,
          "java.util.HashMap", 1,
          "java.util.HashSet", 1,
          "java.util.Hashtable", 1);

  private static final int NO_LENGTH = -1;

  /** Classes whose {@code readObject} compares keys of one hash, and whether they order keys. */
  private static final Map<Class<?>, Boolean> TABLES =
      Map.of(
          HashMap.class, true,
          HashSet.class, true,
          ConcurrentHashMap.class, true,
          Hashtable.class, false);

  private final HashCost hashCost;
  private final ComparatorCost comparatorCost;
  private final ContentCost contentCost;

  /** Whether the method keeps what it reads as elements, which it may hash or compare. */
  private final boolean ofCollection;

  /** Whether the method may order what it reads. */
  private final boolean ordering;

  /** Whether the method may hash what it reads. */
  private final boolean hashing;

  /** Whether the method reads the comparator as a value before the elements. */
  private final boolean readsComparator;

  /** The object whose method it is. */
  private final Object object;

  /** Whether its hash may be made of what the method reads. */
  private final boolean composite;

  /** Counts what the method reads, if it is that of a hash table. */
  private final @Nullable KeyCollisions keys;

  /** How values count that are read next, if the method may compare them. */
  private ComparatorCost.@Nullable Ordering order;

  /** What the method reads, if a table is made of it at the end. */
  private @Nullable LaterTable later;

  /** Calls of {@code readInt} before a length; {@link #NO_LENGTH} if none comes. */
  private int intsToLength;

  /**
   * The cost of a method that begins.
   *
   * @param declaring the class with the {@code readObject} method; null for {@code readExternal}
   * @param ordering whether that class orders its elements
   */
  public MethodCost(
      Object object,
      @Nullable Class<?> declaring,
      boolean ordering,
      HashCost hashCost,
      ComparatorCost comparatorCost,
      ContentCost contentCost) {
    this.hashCost = hashCost;
    this.comparatorCost = comparatorCost;
    this.contentCost = contentCost;
    this.ordering = ordering;
    ofCollection = declaring != null && isOfCollection(declaring);
    hashing = declaring == null || !isSequence(declaring);
    readsComparator = declaring != null && SortedSet.class.isAssignableFrom(declaring);
    this.object = object;
    composite = HashCost.hasParts(object.getClass());
    Boolean ordersKeys = declaring == null ? null : TABLES.get(declaring);
    keys = ordersKeys == null ? null : hashCost.collisions(ordersKeys, declaring != HashSet.class);
    intsToLength =
        declaring == null ? NO_LENGTH : LENGTHS.getOrDefault(declaring.getName(), NO_LENGTH);
  }

  private static boolean isOfCollection(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  /** Whether the class keeps elements without hashing them. */
  private static boolean isSequence(Class<?> type) {
    return Collection.class.isAssignableFrom(type) && !Set.class.isAssignableFrom(type);
  }

  /** Whether the {@code int} that has been read is a length by which the method allocates. */
  public boolean isLength() {
    return intsToLength != NO_LENGTH && intsToLength-- == 0;
  }

  /**
   * Counts a value for the budget of steps.
   *
   * @throws IOException if the method would take too many steps
   */
  public void add(@Nullable Object value) throws IOException {
    addLeaf(value);
    if (hashing && !(value instanceof String)) {
      if (readsComparator && order == null && value instanceof Comparator) {
        order = comparatorCost.ordering(value);
      }
      hashCost.add(value);
    }
    if (composite) {
      hashCost.addPart(object, value);
    }
  }

  /** As {@link #add}, of a string or box. */
  public void addLeaf(@Nullable Object value) throws IOException {
    if (order != null) {
      order.addElement();
    }
    if (ordering) {
      contentCost.compare(value);
    } else if (!ofCollection) {
      contentCost.add(value);
    } else if (hashing && value instanceof String) {
      hashCost.addText(value);
    }
    if (keys != null) {
      keys.addNext(value);
    }
    if (later != null) {
      later.add(value);
    }
  }

  /** Counts the value of a field that the method has read and may take for any use. */
  public void addField(@Nullable Object value) throws IOException {
    if (value instanceof Collection || value instanceof Map) {
      hashCost.addPart(object, value);
      hashCost.addVisits(value);
    } else {
      contentCost.add(value);
    }
  }

  /** Says what the tag of the JDK's serial proxy is, behind which its elements come. */
  public void setTag(int tag) {
    later = hashCost.laterTable(tag);
  }

  /** Says by what the method compares what it reads next; null if that is not known. */
  public void setComparator(@Nullable Object comparator) throws InvalidObjectException {
    order = comparatorCost.ordering(comparator);
  }

  /** Counts what the stream has set in the object's fields, which the method goes through next. */
  public void addFields() throws IOException {
    contentCost.addFields(object);
  }

  /** Counts what the method makes at its end of what it has read. */
  public void end() throws IOException {
    if (later != null) {
      later.count();
    }
  }
}
