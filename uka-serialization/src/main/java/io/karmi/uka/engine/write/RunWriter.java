package io.karmi.uka.engine.write;

import io.karmi.uka.engine.write.KnownClasses.Known;
import io.karmi.uka.format.Runs;
import io.karmi.uka.handle.HandleTable;
import io.karmi.uka.handle.Slots;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writer of elements of collections, which puts boxes of one or two classes into packed runs.
 *
 * <p>Boxes are kept, without a handle, until there are enough of them or another element comes; no
 * method of a program can notice. One writer serves all collections of a stream, nested ones too,
 * as nothing is kept while another object is written.
 */
public final class RunWriter {
  /** Shortest run. */
  public static final int FEW = 4;

  private final ObjectWriter out;
  private final boolean enabled;
  private @Nullable Object[] kept = new @Nullable Object[4 * FEW];
  private int[] handles = new int[4 * FEW];
  private int size;

  /** Number of kept elements that have handles. */
  private int numbered;

  /** Elements to be kept before {@link #kept} is replaced. */
  private int left = Slots.lifeOf(4 * FEW);

  /**
   * Class of the kept elements with even indexes, and below of those with odd ones. Not set before
   * there are any.
   */
  @SuppressWarnings("NullAway.Init")
  private Known first;

  @SuppressWarnings("NullAway.Init") // as above
  private Known second;

  public RunWriter(ObjectWriter out) {
    this.out = out;
    enabled = out.isCompact();
  }

  /**
   * Writes an element of a collection, or keeps it until {@link #flush}.
   *
   * @param last result of this method for the element before
   */
  public @Nullable Known write(@Nullable Object element, @Nullable Known last) throws IOException {
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
   * Writes elements of a list at once if none is kept, and all are new and of one class; else keeps
   * those before the first one that is not.
   *
   * @param last result of {@link #write} for the element before
   * @return the index of the first element that is neither written nor kept
   */
  public int writeNew(ArrayList<?> list, int from, @Nullable Known last) throws IOException {
    int most = Math.min(list.size() - from, Runs.MAXIMUM);
    if (size > 0 || most < FEW || last == null || !last.isRunnable() || !enabled) {
      return from;
    }
    HandleTable table = out.handles();
    int count = table.assignNew(list, from, most, last.type);
    int end = table.size();
    begin(last, last);
    if (count < most) {
      keepNumbered(table.objects(), end - count, count);
    } else if (isShorter(count, 1, 0)) {
      writeHead(count, 1, 0);
      last.writeAllData(out, table.objects(), end - count, end);
    } else {
      @Nullable Object[] objects = table.objects();
      for (int i = end - count; i < end; i++) {
        last.write(out, objects[i]);
      }
    }
    return from + count;
  }

  /** Keeps objects that have handles. */
  private void keepNumbered(@Nullable Object[] objects, int from, int count) {
    while (count >= kept.length) {
      grow();
    }
    System.arraycopy(objects, from, kept, 0, count);
    size = count;
    numbered = count;
  }

  /**
   * Keeps elements of a list, as long as they are of this class and there is room.
   *
   * @param last result of {@link #write} for the element before
   * @return the index of the first element that is not kept
   */
  public int keepAll(ArrayList<?> list, int from, @Nullable Known last) {
    if (last == null || !last.isRunnable() || !enabled) {
      return from;
    }
    if (size == 0) {
      begin(last, last);
    }
    @Nullable Object[] to = kept;
    int next = size;
    int i = from;
    for (; i < list.size() && next < to.length - 1; i++) {
      Object element = list.get(i);
      if (!isOf(element, last)) {
        break;
      }
      to[next++] = element;
    }
    size = next;
    return i;
  }

  /**
   * Keeps a key and a value.
   *
   * @return false, and nothing is kept, if they are no boxes of these classes
   */
  public boolean keeps(
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
    if (size == 0) {
      begin(even, odd);
    }
    kept[size++] = element;
    if (size == kept.length) {
      makeRoom();
    }
  }

  /** Stores changes only: a store into an old object costs a memory fence. */
  private void begin(Known even, Known odd) {
    if (first != even) {
      first = even;
    }
    if (second != odd) {
      second = odd;
    }
    if (left < 0) {
      kept = new @Nullable Object[kept.length];
      left = Slots.lifeOf(kept.length);
    }
  }

  private void makeRoom() throws IOException {
    if (size == Runs.MAXIMUM) {
      flush();
    } else {
      grow();
    }
  }

  private void grow() {
    int length = 2 * kept.length;
    kept = Arrays.copyOf(kept, length);
    handles = new int[length];
    left = Slots.lifeOf(length);
  }

  /** Writes the kept elements. */
  public void flush() throws IOException {
    int length = size;
    if (length == 0) {
      return;
    }
    Arrays.fill(handles, 0, numbered, HandleTable.NEW);
    int fresh = numbered + out.handles().findOrAssignAll(kept, numbered, length, handles);
    if (!writesRun(length, fresh)) {
      writeEach(length);
    }
    clear();
  }

  private void writeEach(int length) throws IOException {
    for (int i = 0; i < length; i++) {
      if (handles[i] != HandleTable.NEW) {
        writeKnown(handles[i]);
      } else {
        ((i & 1) == 0 ? first : second).write(out, kept[i]);
      }
    }
  }

  /* Apart, as it is rare. */
  private void writeKnown(int handle) throws IOException {
    if (handle == HandleTable.NULL) {
      out.writeReference(null);
    } else {
      out.format().writeReference(handle);
    }
  }

  /** Writes the kept elements as a packed run, if that is shorter. */
  private boolean writesRun(int length, int fresh) throws IOException {
    int slots = first == second ? 1 : 2;
    int maskBytes = fresh == length ? 0 : (length + Byte.SIZE - 1) / Byte.SIZE;
    if (!isShorter(fresh, slots, maskBytes)) {
      return false;
    }
    writeHead(length, slots, maskBytes);
    if (maskBytes == 0 && slots == 1) {
      first.writeAllData(out, kept, 0, length);
      return true;
    }
    for (int i = 0; i < length; i++) {
      if (handles[i] != HandleTable.NEW) {
        writeKnown(handles[i]);
      } else {
        ((i & 1) == 0 ? first : second).writeData(out, kept[i]);
      }
    }
    return true;
  }

  /** Whether this many values take fewer bytes in a packed run. */
  private static boolean isShorter(int values, int slots, int maskBytes) {
    return values > 2 + 2 * slots + maskBytes;
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
        mask |= handles[i] == HandleTable.NEW ? 0 : 1 << i - from;
      }
      out.buffer.writeByte(mask);
    }
  }

  /** Forgets the kept elements. */
  public void clear() {
    if (size > 0) {
      Slots.clear(kept, size);
      left -= size;
      size = 0;
      numbered = 0;
    }
  }
}
