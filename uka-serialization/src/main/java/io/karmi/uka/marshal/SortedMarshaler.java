package io.karmi.uka.marshal;

import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Trees: the comparator, how many elements, and the elements in order. */
abstract class SortedMarshaler extends PlatformMarshaler {
  private SortedMarshaler(LocalClass type) {
    super(type);
  }

  static final class OfMap extends SortedMarshaler {
    OfMap(LocalClass type) {
      super(type);
    }

    @Override
    boolean writeContent(ObjectWriter out, Object object) throws IOException {
      TreeMap<?, ?> map = (TreeMap<?, ?>) object;
      out.writeReference(map.comparator());
      SequenceMarshaler.writeSize(out, map.size());
      KnownClasses.@Nullable Known lastKey = null;
      KnownClasses.@Nullable Known lastValue = null;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        lastKey = out.writeElement(entry.getKey(), lastKey);
        lastValue = out.writeElement(entry.getValue(), lastValue);
      }
      end(out);
      return true;
    }
  }

  static final class OfSet extends SortedMarshaler {
    OfSet(LocalClass type) {
      super(type);
    }

    @Override
    boolean writeContent(ObjectWriter out, Object object) throws IOException {
      TreeSet<?> set = (TreeSet<?>) object;
      out.writeReference(set.comparator());
      SequenceMarshaler.writeSize(out, set.size());
      SequenceMarshaler.writeElements(out, set);
      end(out);
      return true;
    }
  }
}
