package io.karmi.uka.codec;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.read.ObjectReader;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.format.Token;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Trees in natural order: the counterpart of {@link SortedMarshaler}.
 *
 * <p>Elements are in order already, and nobody is asked to compare them: the tree takes them from a
 * {@link SortedElements}. While they are read the tree has its size and no element, as on the JDK.
 */
public abstract class SortedReader extends PlatformReader {
  private static final @Nullable FieldAccess SIZE = LocalFields.reach(TreeMap.class, "size");
  private static final @Nullable FieldAccess MAP = LocalFields.reach(TreeSet.class, "m");

  private SortedReader(ReadType type) {
    super(type);
  }

  /** The one for this type; null if this library has no way to the fields of trees. */
  static @Nullable Unmarshaler of(ReadType type) {
    if (SIZE == null || MAP == null) {
      return null;
    }
    return type.type() == TreeMap.class ? new OfMap(type) : new OfSet(type);
  }

  @Override
  public final @Nullable Object read(ObjectReader in, boolean unshared) throws IOException {
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

  abstract Object readTree(ObjectReader in, int size, boolean unshared) throws IOException;

  private static final class OfMap extends SortedReader {
    /** There is no reader without it. */
    private static final FieldAccess SIZE = Objects.requireNonNull(SortedReader.SIZE);

    OfMap(ReadType type) {
      super(type);
    }

    @Override
    public Object readTree(ObjectReader in, int size, boolean unshared) throws IOException {
      TreeMap<Object, Object> map = new TreeMap<>();
      SequenceReader.setInt(in, SIZE, map, size);
      in.begin(map, type, unshared);
      Object[] pairs = SequenceReader.fill(in, SequenceReader.newElements(in, 2 * size), 2 * size);
      SequenceReader.setInt(in, SIZE, map, 0);
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

    OfSet(ReadType type) {
      super(type);
    }

    @Override
    public Object readTree(ObjectReader in, int size, boolean unshared) throws IOException {
      TreeSet<Object> set = new TreeSet<>();
      Object map = Objects.requireNonNull(MAP.getReference(set, 0));
      SequenceReader.setInt(in, SIZE, map, size);
      in.begin(set, type, unshared);
      Object[] elements = SequenceReader.fill(in, SequenceReader.newElements(in, size), size);
      SequenceReader.setInt(in, SIZE, map, 0);
      if (!in.isMarked()) {
        set.addAll(SortedElements.setOf(elements));
      }
      end(in);
      return set;
    }
  }
}
