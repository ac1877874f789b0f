package io.karmi.uka.engine.write;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.Sneaky;
import io.karmi.uka.engine.write.KnownClasses.Known;
import io.karmi.uka.handle.HandleTable;
import io.karmi.uka.platform.PrimitiveBlock;
import io.karmi.uka.platform.StringCoder;
import java.io.IOException;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writer of the entries of hash maps: of short strings and boxes in one loop, of others by {@code
 * forEach}, which needs no iterator. One serves all maps of a stream, nested ones too.
 */
public final class EntryWriter implements BiConsumer<Object, Object> {
  /** Bytes of an entry that the loop writes itself, at most. */
  private static final int LONGEST_ENTRY = 128;

  /** Entries for which the loop pays, at least. */
  private static final int FEW = 8;

  private final ObjectWriter out;
  private final HandleTable handles;

  /** First byte of a string without characters. */
  private final int firstOfText;

  /** Strings of fewer characters of ISO 8859-1 have their length in the first byte; 0 if none. */
  private final int shortTexts;

  /** Number of running calls of {@link #accept}. */
  private int nesting;

  /* Classes of the last key and value. */
  private @Nullable Known lastKey;

  private @Nullable Known lastValue;

  /** Entries that have been written before. */
  private int skipped;

  public EntryWriter(ObjectWriter out) {
    this.out = out;
    handles = out.handles();
    firstOfText = out.format().firstOfText();
    shortTexts = out.isCompact() ? out.format().shortTexts() : 0;
  }

  public void write(Map<?, ?> map) throws IOException {
    int written = writeTexts(map);
    if (written < map.size()) {
      skipped = written;
      writeRest(map);
    }
  }

  private void writeRest(Map<?, ?> map) throws IOException {
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

  /**
   * Writes the first entries, as long as keys are strings, and values strings or frequent boxes: in
   * one loop, which keeps positions and handles in local variables, and calls nothing for an entry
   * whose parts are short and new.
   *
   * @return how many
   */
  private int writeTexts(Map<?, ?> map) throws IOException {
    char[] slots = handles.valueSlots();
    if (slots.length == 0 || shortTexts == 0 || !out.isFree() || map.size() < FEW) {
      return 0;
    }
    @Nullable Object[] numbered = handles.objects();
    int mask = handles.mask();
    int room = handles.room();
    int number = handles.size();
    OutputBuffer buffer = out.buffer;
    byte[] to = buffer.bytes;
    int at = buffer.position;
    Class<?> type = String.class;
    byte first = 0;
    int written = 0;
    try {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        Object value = entry.getValue();
        if (!(entry.getKey() instanceof String key) || value == null) {
          break;
        }
        if (value.getClass() != type) {
          type = value.getClass();
          if (!isFrequent(type)) {
            break;
          }
          first = firstOfBox(type);
        }
        int slot = HandleTable.UNSURE;
        int length = -1;
        if (number < room - 1 && to.length - at >= LONGEST_ENTRY) {
          length = StringCoder.putFew(key, shortTexts, to, at + 1);
        }
        if (length >= 0) {
          slot = HandleTable.slotOrFound(slots, mask, handles.hashOfText(key), numbered, key);
        }
        boolean keyWritten = slot >= 0;
        if (keyWritten) {
          numbered[number++] = key;
          slots[slot] = (char) number;
          to[at] = (byte) (firstOfText + length);
          at += 1 + length;
          slot = HandleTable.UNSURE;
          if (value instanceof String text) {
            length = StringCoder.putFew(text, shortTexts, to, at + 1);
            if (length >= 0) {
              slot = HandleTable.slotOrFound(slots, mask, handles.hashOfText(text), numbered, text);
            }
            if (slot >= 0) {
              to[at] = (byte) (firstOfText + length);
              at += 1 + length;
            }
          } else if (first != 0) {
            slot = HandleTable.slotOrFound(slots, mask, value.hashCode(), numbered, value);
            if (slot >= 0) {
              to[at] = first;
              if (value instanceof Double box) {
                PrimitiveBlock.putLong(to, at + 1, Double.doubleToRawLongBits(box));
                at += 1 + Long.BYTES;
              } else {
                long whole = value instanceof Integer box ? box : (Long) value;
                at = OutputBuffer.putVar(to, at + 1, CompactNumbers.zigzag(whole));
              }
            }
          }
        }
        if (slot >= 0) {
          numbered[number++] = value;
          slots[slot] = (char) number;
        } else {
          handles.grownTo(number);
          buffer.position = at;
          if (!keyWritten) {
            out.writeString(key);
          }
          if (keyWritten && slot != HandleTable.UNSURE) {
            out.format().writeReference(~slot);
          } else {
            out.writeElement(value, null);
          }
          if (first == 0 && type != String.class) {
            first = firstOfBox(type);
          }
          slots = handles.valueSlots();
          numbered = handles.objects();
          mask = handles.mask();
          room = handles.room();
          number = handles.size();
          to = buffer.bytes;
          at = buffer.position;
        }
        written++;
      }
    } catch (ConcurrentModificationException e) {
      /* As HashMap.writeObject would go on, so do the entries that follow. */
    }
    handles.grownTo(number);
    buffer.position = at;
    return written;
  }

  private static boolean isFrequent(Class<?> type) {
    return type == String.class
        || type == Integer.class
        || type == Long.class
        || type == Double.class;
  }

  /**
   * Token and type of a box, which are one byte; 0 if the stream has them otherwise, or not yet.
   */
  private byte firstOfBox(Class<?> type) {
    Known known = out.classes().peek(type);
    return known != null && known.isDirect() && known.isRunnable() ? known.firstByte() : 0;
  }

  @Override
  public void accept(Object key, Object value) {
    if (skipped > 0) {
      skipped--;
      return;
    }
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
