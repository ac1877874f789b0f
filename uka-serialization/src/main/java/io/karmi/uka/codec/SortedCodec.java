package io.karmi.uka.codec;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.format.Token;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Codec of trees: the comparator, the size, and the elements in order. */
final class SortedCodec extends PlatformCodec {
  @Override
  Object marshaler(LocalClass type, PlatformDescriptions table) {
    return type.type == TreeMap.class
        ? new SortedMarshaler.OfMap(type, table)
        : new SortedMarshaler.OfSet(type, table);
  }

  @Override
  @Nullable Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    return SortedReader.of(type, form);
  }

  @Override
  void expand(String name, int head, ShortForms into) throws IOException {
    into.format.writeToken(Token.NULL);
    into.writeBlock(head >>> 1);
  }

  abstract static class SortedMarshaler extends PlatformMarshaler {
    private SortedMarshaler(LocalClass type, PlatformDescriptions table) {
      super(type, table);
    }

    final void writeHead(ObjectWriter out, @Nullable Object comparator, int size)
        throws IOException {
      if (comparator == null && isShort(out)) {
        writeSize(out, size);
      } else {
        beginGeneral(out);
        out.writeReference(comparator);
        writeSizeBlock(out, size);
      }
    }

    static final class OfMap extends SortedMarshaler {
      OfMap(LocalClass type, PlatformDescriptions table) {
        super(type, table);
      }

      @Override
      public boolean writeContent(ObjectWriter out, Object object) throws IOException {
        TreeMap<?, ?> map = (TreeMap<?, ?>) object;
        writeHead(out, map.comparator(), map.size());
        Elements.writeEntries(out, map.entrySet());
        end(out);
        return true;
      }
    }

    static final class OfSet extends SortedMarshaler {
      OfSet(LocalClass type, PlatformDescriptions table) {
        super(type, table);
      }

      @Override
      public boolean writeContent(ObjectWriter out, Object object) throws IOException {
        TreeSet<?> set = (TreeSet<?>) object;
        writeHead(out, set.comparator(), set.size());
        Elements.writeElements(out, set);
        end(out);
        return true;
      }
    }
  }

  /**
   * Reader of trees in natural order. Their elements are not compared: the tree copies them from a
   * {@link SortedElements}. While they are read the tree has its size and no element, as in the
   * JDK.
   */
  abstract static class SortedReader extends PlatformReader {
    private static final @Nullable FieldAccess SIZE = LocalFields.reach(TreeMap.class, "size");
    private static final @Nullable FieldAccess MAP = LocalFields.reach(TreeSet.class, "m");

    private SortedReader(ReadType type, @Nullable ShortForm form) {
      super(type, form);
    }

    /** The reader of a type; null if the fields of trees cannot be reached. */
    static @Nullable Unmarshaler of(ReadType type, @Nullable ShortForm form) {
      if (SIZE == null || MAP == null) {
        return null;
      }
      return type.type() == TreeMap.class ? new OfMap(type, form) : new OfSet(type, form);
    }

    @Override
    public final @Nullable Object read(ReadContext in, boolean unshared) throws IOException {
      if (in.isWatched()) {
        return general.unmarshal(in, unshared);
      }
      int head = readHead(in);
      int size = head >>> 1;
      if (head == ShortForms.GENERAL) {
        if (in.format().peek() != Token.NULL) {
          return behindHead().unmarshal(in, unshared);
        }
        in.format().skipToken();
        size = readBlockInt(in);
      }
      if (size < 0 || size > Integer.MAX_VALUE / 2) {
        throw new InvalidObjectException("Invalid size: " + size);
      }
      return readTree(in, size, unshared);
    }

    abstract Object readTree(ReadContext in, int size, boolean unshared) throws IOException;

    private static final class OfMap extends SortedReader {
      /** There is no reader without it. */
      private static final FieldAccess SIZE = Objects.requireNonNull(SortedReader.SIZE);

      OfMap(ReadType type, @Nullable ShortForm form) {
        super(type, form);
      }

      @Override
      public Object readTree(ReadContext in, int size, boolean unshared) throws IOException {
        TreeMap<Object, Object> map = new TreeMap<>();
        Elements.setInt(in, SIZE, map, size);
        in.begin(map, type, unshared);
        Object[] pairs = Elements.fill(in, Elements.newElements(in, 2 * size), 2 * size);
        Elements.setInt(in, SIZE, map, 0);
        if (!in.isMarked()) {
          map.putAll(SortedElements.mapOf(pairs));
        }
        end(in);
        return map;
      }
    }

    private static final class OfSet extends SortedReader {
      /* There is no reader without them. */
      private static final FieldAccess SIZE = Objects.requireNonNull(SortedReader.SIZE);
      private static final FieldAccess MAP = Objects.requireNonNull(SortedReader.MAP);

      OfSet(ReadType type, @Nullable ShortForm form) {
        super(type, form);
      }

      @Override
      public Object readTree(ReadContext in, int size, boolean unshared) throws IOException {
        TreeSet<Object> set = new TreeSet<>();
        Object map = Objects.requireNonNull(MAP.getReference(set, 0));
        Elements.setInt(in, SIZE, map, size);
        in.begin(set, type, unshared);
        Object[] elements = Elements.fill(in, Elements.newElements(in, size), size);
        Elements.setInt(in, SIZE, map, 0);
        if (!in.isMarked()) {
          set.addAll(SortedElements.setOf(elements));
        }
        end(in);
        return set;
      }
    }
  }
}
