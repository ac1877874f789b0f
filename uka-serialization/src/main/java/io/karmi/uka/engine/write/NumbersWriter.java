package io.karmi.uka.engine.write;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.engine.CompactNumbers;
import io.karmi.uka.engine.write.KnownClasses.Known;
import io.karmi.uka.handle.HandleTable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Writer of the elements of collections of numbers, new ones in one loop. */
public final class NumbersWriter {
  private NumbersWriter() {}

  /** Writes elements that are an {@code Integer} or a {@code Long} each, new ones in one loop. */
  public static void write(ObjectWriter out, Object[] numbers, int count) throws IOException {
    int next = 0;
    while (next < count) {
      Known known = out.classes().known(numbers[next].getClass());
      if (known.isDirect() && known.isNumber() && out.isFree()) {
        next = writeNew(out, known, numbers, next, count);
      }
      if (next < count) {
        out.writeElement(numbers[next++], known);
      }
    }
  }

  /**
   * Writes numbers as long as they are of one class and new at the first probes. There is no call
   * in the loop, so that its variables stay in registers.
   *
   * @return the index of the first other number
   */
  private static int writeNew(ObjectWriter out, Known known, Object[] numbers, int from, int to)
      throws IOException {
    OutputBuffer buffer = out.buffer;
    HandleTable handles = out.handles();
    buffer.reserve((to - from) * (1 + OutputBuffer.LONGEST_VAR));
    byte[] bytes = buffer.bytes;
    int at = buffer.position;
    byte first = known.firstByte();
    @Nullable Object[] numbered = handles.objects();
    char[] slots = handles.valueSlots();
    int mask = handles.mask();
    int number = handles.size();
    int end = Math.min(to, from + handles.room() - number);
    int next = from;
    for (; next < end; next++) {
      Object box = numbers[next];
      if (box.getClass() != known.type) {
        break;
      }
      long value = box instanceof Integer whole ? whole : (Long) box;
      int slot = HandleTable.slotOrFound(slots, mask, box.hashCode(), numbered, box);
      if (slot < 0) {
        break;
      }
      numbered[number++] = box;
      slots[slot] = (char) number;
      bytes[at] = first;
      at = OutputBuffer.putVar(bytes, at + 1, CompactNumbers.zigzag(value));
    }
    handles.grownTo(number);
    buffer.position = at;
    return next;
  }
}
