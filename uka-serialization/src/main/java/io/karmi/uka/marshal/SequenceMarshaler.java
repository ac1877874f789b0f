package io.karmi.uka.marshal;

import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Lists and queues: how many elements, and the elements. */
class SequenceMarshaler extends PlatformMarshaler {
  SequenceMarshaler(LocalClass type) {
    super(type);
  }

  @Override
  boolean writeContent(ObjectWriter out, Object object) throws IOException {
    Collection<?> sequence = (Collection<?>) object;
    writeSize(out, sequence.size());
    writeElements(out, sequence);
    end(out);
    return true;
  }

  static void writeElements(ObjectWriter out, Collection<?> elements) throws IOException {
    RunWriter runs = out.runs();
    KnownClasses.@Nullable Known last = null;
    for (Object element : elements) {
      last = runs.write(element, last);
    }
    runs.flush();
  }

  /** The size is a field, too; changes while the list is written are noticed at the end. */
  static final class OfArrayList extends SequenceMarshaler {
    OfArrayList(LocalClass type) {
      super(type);
    }

    @Override
    boolean writeContent(ObjectWriter out, Object object) throws IOException {
      ArrayList<?> list = (ArrayList<?>) object;
      Iterator<?> witness = list.iterator();
      int size = list.size();
      if (!isShort(out)) {
        out.buffer.writeInt(out.isLittleEndian() ? size : Integer.reverseBytes(size));
      }
      writeSize(out, size);
      RunWriter runs = out.runs();
      KnownClasses.@Nullable Known last = null;
      for (int i = 0; i < list.size(); i++) {
        last = runs.write(list.get(i), last);
      }
      runs.flush();
      if (size > 0) {
        witness.next();
      }
      end(out);
      return true;
    }
  }
}
