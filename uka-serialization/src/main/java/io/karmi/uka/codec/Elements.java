package io.karmi.uka.codec;

import io.karmi.uka.engine.read.Claims;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.cost.KeyCollisions;
import io.karmi.uka.engine.write.KnownClasses.Known;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.engine.write.RunWriter;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.platform.PrimitiveBlock;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writing and reading of elements of collections, one by one or in packed runs. */
final class Elements {
  private Elements() {}

  static void writeElements(ObjectWriter out, Collection<?> elements) throws IOException {
    @Nullable Known last = null;
    Iterator<?> rest = elements.iterator();
    while (rest.hasNext()) {
      last = out.writeElement(rest.next(), last);
      if (last != null && last.isRunnable()) {
        writeRest(out, rest, last);
      }
    }
  }

  /** Writes elements some of which may be in packed runs. */
  private static void writeRest(ObjectWriter out, Iterator<?> rest, Known first)
      throws IOException {
    RunWriter runs = out.runs();
    @Nullable Known last = first;
    while (rest.hasNext()) {
      last = runs.write(rest.next(), last);
    }
    runs.flush();
  }

  /** Writes keys and values in turn. */
  static void writeEntries(ObjectWriter out, Iterable<?> entries) throws IOException {
    @Nullable Known lastKey = null;
    @Nullable Known lastValue = null;
    for (Object each : entries) {
      Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each;
      if (!out.runs().keeps(entry.getKey(), lastKey, entry.getValue(), lastValue)) {
        lastKey = out.writeElement(entry.getKey(), lastKey);
        lastValue = out.writeElement(entry.getValue(), lastValue);
      }
    }
    out.runs().flush();
  }

  /** Adds elements, as long as no class is missing. */
  static void readElements(ReadContext in, Collection<Object> into, int size, boolean hashed)
      throws IOException {
    if (size <= 0) {
      return;
    }
    in.beginElements();
    int handle = in.currentHandle();
    long open = in.claims().open;
    KeyCollisions keys = hashed ? in.hashCost().collisions(size, into) : null;
    for (int i = 0; i < size; i++) {
      in.claims().open = open + size - i - 1;
      Object element = in.readElement(handle, size - i - 1);
      if (in.isMarked()) {
        return;
      }
      if (hashed) {
        in.hashCost().add(element);
        if (keys != null) {
          keys.add(element);
        }
      }
      into.add(element);
      if (i + 1 < size && in.comesRun()) {
        i += readRun(in, into, size - i - 1, handle, keys);
        if (in.isMarked()) {
          return;
        }
      }
    }
  }

  /** Adds the elements of a packed run; returns how many. */
  private static int readRun(
      ReadContext in, Collection<Object> into, int most, int handle, @Nullable KeyCollisions keys)
      throws IOException {
    Object[] elements = in.takeRoom();
    int length = in.readPacked(elements, 0, Math.min(most, elements.length), handle);
    if (keys != null) {
      keys.addAll(elements, length, 1);
    }
    for (int i = 0; i < length; i++) {
      into.add(elements[i]);
    }
    in.giveRoom(elements, length);
    return length;
  }

  static void setInt(ReadContext in, FieldAccess field, Object object, int value) {
    byte[] bytes = in.scratch();
    PrimitiveBlock.putInt(bytes, 0, value);
    field.setPrimitives(object, bytes, 0);
  }

  static Object[] newElements(ReadContext in, int length) throws IOException {
    return new Object[in.claims().grants(length) ? length : Claims.FEW];
  }

  /** Fills the array, or a larger copy of it, as long as no class is missing. */
  static Object[] fill(ReadContext in, Object[] into, int size) throws IOException {
    if (size == 0) {
      return into;
    }
    in.beginElements();
    Object[] elements = into;
    int handle = in.currentHandle();
    int next = 0;
    long open = in.claims().open;
    while (next < size) {
      in.claims().open = open + size - next - 1;
      if (next == elements.length) {
        elements = Arrays.copyOf(elements, (int) Math.min(size, 2L * next));
      }
      int first = next;
      next = in.readRun(elements, first, Math.min(size, elements.length), handle);
      if (next == first) {
        elements[next++] = in.readElement(handle, size - next);
      }
      if (in.isMarked()) {
        break;
      }
    }
    return elements;
  }
}
