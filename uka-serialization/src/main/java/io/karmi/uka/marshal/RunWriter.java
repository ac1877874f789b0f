package io.karmi.uka.marshal;

import io.karmi.uka.format.Runs;
import io.karmi.uka.marshal.KnownClasses.Known;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes elements of collections, and boxes of one type together, without a token for each.
 *
 * <p>Such elements are kept until there are enough of them or another one comes, which nobody can
 * notice: no method of a program takes part in writing them. What is kept has no handle yet. One
 * serves all collections of a stream, those within others too, since nothing is kept while another
 * object is written.
 */
final class RunWriter {
  /** In the place of a handle. */
  private static final int NEW = -1;

  private static final int NO_OBJECT = -2;

  private final ObjectWriter out;
  private final boolean enabled;
  private final @Nullable Object[] kept = new @Nullable Object[Runs.MOST];
  private final int[] handles = new int[Runs.MOST];
  private int size;

  /** Of the elements that are kept: the same, or of those with even and with odd indexes. */
  private @Nullable Known first;

  private @Nullable Known second;

  RunWriter(ObjectWriter out) {
    this.out = out;
    enabled = out.isCompact();
  }

  /**
   * Writes an element of a collection, at the latest when {@link #flush} is called.
   *
   * @param last what this method has returned for the element before
   */
  @Nullable Known write(@Nullable Object element, @Nullable Known last) throws IOException {
    if (last == null || !last.isRunnable() || !enabled) {
      return out.writeElement(element, last);
    }
    if (isOf(element, last)) {
      keep(element, last, last);
      return last;
    }
    flush();
    return out.writeElement(element, last);
  }

  /**
   * Keeps a key and a value to be written together with others.
   *
   * @return false if they are not of these classes, or not such as are written together; then
   *     nothing is kept
   */
  boolean keeps(
      @Nullable Object key, @Nullable Known ofKey, @Nullable Object value, @Nullable Known ofValue)
      throws IOException {
    if (ofKey == null || ofValue == null || !ofKey.isRunnable() || !ofValue.isRunnable()) {
      return false;
    }
    if (enabled && isOf(key, ofKey) && isOf(value, ofValue)) {
      keep(key, ofKey, ofValue);
      keep(value, ofKey, ofValue);
      return true;
    }
    flush();
    return false;
  }

  private static boolean isOf(@Nullable Object element, Known known) {
    return element == null || element.getClass() == known.type;
  }

  private void keep(@Nullable Object element, Known even, Known odd) throws IOException {
    first = even;
    second = odd;
    kept[size++] = element;
    if (size == Runs.MOST) {
      flush();
    }
  }

  /** Writes what is kept. */
  void flush() throws IOException {
    int length = size;
    if (length == 0) {
      return;
    }
    int fresh = 0;
    for (int i = 0; i < length; i++) {
      Object element = kept[i];
      handles[i] = element == null ? NO_OBJECT : out.findOrAssign(element);
      fresh += handles[i] == NEW ? 1 : 0;
    }
    int slots = first == second ? 1 : 2;
    int maskBytes = fresh == length ? 0 : (length + Byte.SIZE - 1) / Byte.SIZE;
    boolean pays = fresh > 2 + 2 * slots + maskBytes;
    if (pays) {
      writeHead(length, slots, maskBytes);
    }
    for (int i = 0; i < length; i++) {
      write(i, (i & 1) == 0 ? first : second, pays);
    }
    clear();
  }

  private void writeHead(int length, int slots, int maskBytes) throws IOException {
    int pairs = slots == 1 ? 0 : Runs.PAIRS;
    int masked = maskBytes == 0 ? 0 : Runs.MASKED;
    out.format().openRun(length << Runs.LENGTH_SHIFT | masked | pairs);
    first.writeSlot(out.buffer);
    if (pairs != 0) {
      second.writeSlot(out.buffer);
    }
    for (int from = 0; maskBytes > 0 && from < length; from += Byte.SIZE) {
      int mask = 0;
      for (int i = from; i < Math.min(from + Byte.SIZE, length); i++) {
        mask |= handles[i] == NEW ? 0 : 1 << i - from;
      }
      out.buffer.writeByte(mask);
    }
  }

  private void write(int index, Known known, boolean inRun) throws IOException {
    int handle = handles[index];
    if (handle >= 0) {
      out.format().writeReference(handle);
    } else if (handle == NO_OBJECT) {
      out.writeReference(null);
    } else if (inRun) {
      known.writeData(out, kept[index]);
    } else {
      known.write(out, kept[index]);
    }
  }

  /** Forgets what is kept. */
  void clear() {
    if (size > 0) {
      Arrays.fill(kept, 0, size, null);
      size = 0;
    }
  }
}
