package io.karmi.uka.codec;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Elements in natural order as a sorted map or set, from which trees are built without comparisons.
 */
public final class SortedElements {
  private SortedElements() {}

  /** A map of keys and values in turn. */
  static SortedMap<Object, Object> mapOf(Object[] pairs) {
    return new SortedPairs(pairs);
  }

  static SortedSet<Object> setOf(Object[] elements) {
    return new SortedArray(elements);
  }

  private static UnsupportedOperationException unsupported() {
    return new UnsupportedOperationException("made to be iterated over, once");
  }

  private static final class SortedPairs extends AbstractMap<Object, Object>
      implements SortedMap<Object, Object> {
    private final Object[] pairs;

    SortedPairs(Object[] pairs) {
      this.pairs = pairs;
    }

    @Override
    public int size() {
      return pairs.length / 2;
    }

    @Override
    public Set<Entry<Object, Object>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Entry<Object, Object>> iterator() {
          return new Pairs(pairs);
        }

        @Override
        public int size() {
          return pairs.length / 2;
        }
      };
    }

    @Override
    public @Nullable Comparator<Object> comparator() {
      return null;
    }

    @Override
    public SortedMap<Object, Object> subMap(Object from, Object to) {
      throw unsupported();
    }

    @Override
    public SortedMap<Object, Object> headMap(Object to) {
      throw unsupported();
    }

    @Override
    public SortedMap<Object, Object> tailMap(Object from) {
      throw unsupported();
    }

    @Override
    public Object firstKey() {
      throw unsupported();
    }

    @Override
    public Object lastKey() {
      throw unsupported();
    }
  }

  /** Iterator over pairs, which is also the current pair. */
  private static final class Pairs
      implements Iterator<Map.Entry<Object, Object>>, Map.Entry<Object, Object> {
    private final Object[] pairs;
    private int next;

    Pairs(Object[] pairs) {
      this.pairs = pairs;
    }

    @Override
    public boolean hasNext() {
      return next < pairs.length;
    }

    @Override
    public Map.Entry<Object, Object> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      next += 2;
      return this;
    }

    @Override
    public Object getKey() {
      return pairs[next - 2];
    }

    @Override
    public Object getValue() {
      return pairs[next - 1];
    }

    @Override
    public Object setValue(Object value) {
      throw unsupported();
    }
  }

  private static final class SortedArray extends AbstractSet<Object> implements SortedSet<Object> {
    private final Object[] elements;

    SortedArray(Object[] elements) {
      this.elements = elements;
    }

    @Override
    public Iterator<Object> iterator() {
      return java.util.Arrays.asList(elements).iterator();
    }

    @Override
    public int size() {
      return elements.length;
    }

    @Override
    public @Nullable Comparator<Object> comparator() {
      return null;
    }

    @Override
    public SortedSet<Object> subSet(Object from, Object to) {
      throw unsupported();
    }

    @Override
    public SortedSet<Object> headSet(Object to) {
      throw unsupported();
    }

    @Override
    public SortedSet<Object> tailSet(Object from) {
      throw unsupported();
    }

    @Override
    public Object first() {
      throw unsupported();
    }

    @Override
    public Object last() {
      throw unsupported();
    }
  }
}
