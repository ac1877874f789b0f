package io.karmi.uka.engine.write;

import io.karmi.uka.engine.Sneaky;
import io.karmi.uka.engine.write.KnownClasses.Known;
import java.io.IOException;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the entries of hash maps, which call it: that spares an iterator per map.
 *
 * <p>One serves all maps of a stream, those within others too.
 */
public final class EntryWriter implements BiConsumer<Object, Object> {
  private final ObjectWriter out;

  /** How many calls of {@link #accept} are under way. */
  private int nesting;

  /** What the last key and the last value were written by. */
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
      /* Hash maps that write themselves do not look whether an entry's methods change them. */
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
      /* Where keys are strings there is none. */
      if (last == null || !out.runs().keeps(key, last, value, lastValue)) {
        setLast(out.writeElement(key, last), out.writeElement(value, lastValue));
      }
    } catch (IOException e) {
      throw Sneaky.<RuntimeException>sneak(e);
    }
    nesting--;
  }

  /** Stores nothing that is there already: in an object that is old each store is a fence. */
  private void setLast(@Nullable Known key, @Nullable Known value) {
    if (lastKey != key) {
      lastKey = key;
    }
    if (lastValue != value) {
      lastValue = value;
    }
  }
}
