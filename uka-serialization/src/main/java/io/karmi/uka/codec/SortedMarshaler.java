package io.karmi.uka.codec;

import io.karmi.uka.engine.write.KnownClasses;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Trees: the comparator, how many elements, and the elements in order. */
public abstract class SortedMarshaler extends PlatformMarshaler {
  private SortedMarshaler(LocalClass type) {
    super(type);
  }

  final void writeHead(ObjectWriter out, @Nullable Object comparator, int size) throws IOException {
    if (comparator == null && isShort(out)) {
      writeSize(out, size);
    } else {
      beginGeneral(out);
      out.writeReference(comparator);
      writeSizeBlock(out, size);
    }
  }

  static final class OfMap extends SortedMarshaler {
    OfMap(LocalClass type) {
      super(type);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      TreeMap<?, ?> map = (TreeMap<?, ?>) object;
      writeHead(out, map.comparator(), map.size());
      KnownClasses.@Nullable Known lastKey = null;
      KnownClasses.@Nullable Known lastValue = null;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (!out.runs().keeps(entry.getKey(), lastKey, entry.getValue(), lastValue)) {
          lastKey = out.writeElement(entry.getKey(), lastKey);
          lastValue = out.writeElement(entry.getValue(), lastValue);
        }
      }
      out.runs().flush();
      end(out);
      return true;
    }
  }

  static final class OfSet extends SortedMarshaler {
    OfSet(LocalClass type) {
      super(type);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      TreeSet<?> set = (TreeSet<?>) object;
      writeHead(out, set.comparator(), set.size());
      SequenceMarshaler.writeElements(out, set);
      end(out);
      return true;
    }
  }
}
