package io.karmi.uka.engine.write;

import io.karmi.uka.engine.Sneaky;
import io.karmi.uka.engine.write.KnownClasses.Known;
import java.io.IOException;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writer of the entries of hash maps by {@code forEach}, which needs no iterator. One serves all
 * maps of a stream, nested ones too.
 */
public final class EntryWriter implements BiConsumer<Object, Object> {
  private final ObjectWriter out;

  /** Number of running calls of {@link #accept}. */
  private int nesting;

  /* Classes of the last key and value. */
  private @Nullable Known lastKey;

  private @Nullable Known lastValue;

  public EntryWriter(ObjectWriter out) {
    this.out = out;
  }

  public void write(Map<?, ?> map) throws IOException {
    int outer = nesting;
    lastKey = null;
    lastValue = null;
    try {
      map.forEach(this);
    } catch (ConcurrentModificationException e) {
      /* HashMap.writeObject does not notice when a method of an entry changes the map. */
      if (nesting != outer) {
        throw e;
      }
    } finally {
      nesting = outer;
    }
    if (lastKey != null) {
      out.runs().flush();
    }
  }

  @Override
  public void accept(Object key, Object value) {
    nesting++;
    try {
      @Nullable Known last = lastKey;
      if (last == null || !out.runs().keeps(key, last, value, lastValue)) {
        setLast(out.writeElement(key, last), out.writeElement(value, lastValue));
      }
    } catch (IOException e) {
      throw Sneaky.<RuntimeException>sneak(e);
    }
    nesting--;
  }

  /** Stores changes only: a store into an old object costs a memory fence. */
  private void setLast(@Nullable Known key, @Nullable Known value) {
    if (lastKey != key) {
      lastKey = key;
    }
    if (lastValue != value) {
      lastValue = value;
    }
  }
}
