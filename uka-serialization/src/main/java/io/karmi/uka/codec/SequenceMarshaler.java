package io.karmi.uka.codec;

import io.karmi.uka.engine.write.KnownClasses.Known;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.engine.write.RunWriter;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Lists and queues: how many elements, and the elements. */
public class SequenceMarshaler extends PlatformMarshaler {
  SequenceMarshaler(LocalClass type) {
    super(type);
  }

  @Override
  public boolean writeContent(ObjectWriter out, Object object) throws IOException {
    Collection<?> sequence = (Collection<?>) object;
    writeSize(out, sequence.size());
    writeElements(out, sequence);
    end(out);
    return true;
  }

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

  /** The way for elements some of which may come in runs. */
  private static void writeRest(ObjectWriter out, Iterator<?> rest, Known first)
      throws IOException {
    RunWriter runs = out.runs();
    @Nullable Known last = first;
    while (rest.hasNext()) {
      last = runs.write(rest.next(), last);
    }
    runs.flush();
  }

  /** The size is a field, too; changes while the list is written are noticed at the end. */
  static final class OfArrayList extends SequenceMarshaler {
    OfArrayList(LocalClass type) {
      super(type);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      ArrayList<?> list = (ArrayList<?>) object;
      Iterator<?> witness = list.iterator();
      int size = list.size();
      if (isShort(out)) {
        out.buffer.writeVarInt(size << 1);
      } else {
        writeFieldAndBlock(out, size);
      }
      @Nullable Known last = null;
      for (int i = 0; i < list.size(); i++) {
        last = out.writeElement(list.get(i), last);
        if (last != null && last.isRunnable() && list.size() - i > RunWriter.FEW) {
          writeRest(out, list, i + 1, last);
          break;
        }
      }
      if (size > 0) {
        witness.next();
      }
      end(out);
      return true;
    }

    private static void writeFieldAndBlock(ObjectWriter out, int size) throws IOException {
      out.buffer.writeInt(out.isLittleEndian() ? size : Integer.reverseBytes(size));
      writeSizeBlock(out, size);
    }

    private static void writeRest(ObjectWriter out, ArrayList<?> list, int from, Known first)
        throws IOException {
      RunWriter runs = out.runs();
      @Nullable Known last = first;
      int next = from;
      while (next < list.size()) {
        int start = next;
        next = runs.writeNew(list, start, last);
        if (next == start) {
          next = runs.keepAll(list, start, last);
        }
        if (next < list.size()) {
          last = runs.write(list.get(next++), last);
        }
      }
      runs.flush();
    }
  }
}
