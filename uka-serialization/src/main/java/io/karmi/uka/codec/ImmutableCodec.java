package io.karmi.uka.codec;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.engine.write.Marshaler;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.format.uka.PlatformDescriptions;
import io.karmi.uka.platform.Instantiator;
import io.karmi.uka.platform.ReplacesItself;
import io.karmi.uka.strategy.GeneralMarshaler;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Codec of immutable collections ({@code List.of} and the like), which are written as their serial
 * proxy, without making it, and read by way of that.
 */
final class ImmutableCodec extends PlatformCodec {
  /** Name of the serial proxy. */
  static final String COLLECTION = "java.util.CollSer";

  private static final int TAG_BITS = 3;

  @Override
  @Nullable Object marshaler(LocalClass type, PlatformDescriptions table) {
    return type.name.equals(COLLECTION)
        ? new ReplacementMarshaler(type, table)
        : ImmutableMarshaler.of(type, table);
  }

  @Override
  @Nullable Object reader(ReadType type, LocalClass local, @Nullable ShortForm form) {
    /* Others must not be in a stream; their own method throws. */
    return local.name.equals(COLLECTION) ? ImmutableReader.of(type, local, form) : null;
  }

  @Override
  void expand(String name, int head, ShortForms into) throws IOException {
    into.text.writeInt(tag(head));
    into.writeBlock(length(head));
  }

  private static int taggedLength(int length, int tag) {
    return (length << TAG_BITS | tag) << 1;
  }

  /** Whether {@link #taggedLength} can hold a length. */
  private static boolean hasRoomFor(int length) {
    return length < 1 << Integer.SIZE - TAG_BITS - 2;
  }

  private static int length(int taggedLength) {
    return taggedLength >>> TAG_BITS + 1;
  }

  private static int tag(int taggedLength) {
    return taggedLength >>> 1 & (1 << TAG_BITS) - 1;
  }

  /** Writer of collections as their proxy. Streams that replace objects see the proxy itself. */
  static final class ImmutableMarshaler extends PlatformMarshaler {
    private static final int LIST = 1;
    private static final int SET = 2;
    private static final int MAP = 3;
    private static final int LIST_WITH_NULLS = 4;

    /**
     * Whether sets and maps of this JVM iterate against the order of their tables, in which the JDK
     * writes them, and in which a copy must be made to iterate like its original.
     */
    private static final boolean BACKWARDS = !Set.of(0, 1).iterator().next().equals(0);

    private final ObjectMarshaler replaced;

    /** Access to whether a list may hold nulls; null if its class has no such field. */
    private final @Nullable FieldAccess nulls;

    private ImmutableMarshaler(
        LocalClass replacement, LocalClass type, PlatformDescriptions table) {
      super(replacement, table);
      replaced = new GeneralMarshaler(type);
      nulls = type.name.endsWith("ListN") ? LocalFields.reach(type.type, "allowNulls") : null;
    }

    /** The marshaler of a class; null if this JDK has no such proxy. */
    static @Nullable ObjectMarshaler of(LocalClass type, PlatformDescriptions table) {
      LocalClass replacement = replacement(COLLECTION);
      return replacement == null ? null : new ImmutableMarshaler(replacement, type, table);
    }

    @Override
    public Marshaler whenReplacing() {
      return replaced;
    }

    @Override
    public Object replacement(Object object) throws IOException {
      return Objects.requireNonNull(replaced.replace(object, ReplacesItself.Format.OF_UKA));
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      if (object instanceof List<?> list) {
        int tag = tag(out, list);
        return tag != 0 && writeContent(out, tag, list);
      }
      /* No method shows the order of the table, in which the JDK writes. */
      if (!out.isLittleEndian()) {
        return false;
      }
      if (object instanceof Set<?> set) {
        return writeContent(out, SET, Arrays.asList(inOrderOfTable(set)));
      }
      Map<?, ?> map = (Map<?, ?>) object;
      writeHeader(out, MAP, 2 * map.size());
      Elements.writeEntries(out, Arrays.asList(inOrderOfTable(map.entrySet())));
      end(out);
      return true;
    }

    private static Object[] inOrderOfTable(Set<?> elements) {
      Object[] inOrder = elements.toArray();
      if (BACKWARDS) {
        Collections.reverse(Arrays.asList(inOrder));
      }
      return inOrder;
    }

    private boolean writeContent(ObjectWriter out, int tag, Collection<?> elements)
        throws IOException {
      writeHeader(out, tag, elements.size());
      Elements.writeElements(out, elements);
      end(out);
      return true;
    }

    /** The tag of a list; 0 if it is not known. */
    private int tag(ObjectWriter out, List<?> list) throws IOException {
      if (list.size() <= 2 && list.getClass().getName().endsWith("List12")) {
        return LIST;
      }
      if (nulls == null) {
        return 0;
      }
      out.buffer.reserve(1);
      nulls.getPrimitives(list, out.buffer.bytes, out.buffer.position);
      return out.buffer.bytes[out.buffer.position] == 0 ? LIST : LIST_WITH_NULLS;
    }

    private void writeHeader(ObjectWriter out, int tag, int elements) throws IOException {
      if (isShort(out) && hasRoomFor(elements)) {
        out.buffer.writeVarInt(taggedLength(elements, tag));
        return;
      }
      beginGeneral(out);
      writeFieldInt(out, tag);
      writeSizeBlock(out, elements);
    }
  }

  /** Writer of the proxy itself, by its own method. */
  static final class ReplacementMarshaler extends PlatformMarshaler {
    ReplacementMarshaler(LocalClass type, PlatformDescriptions table) {
      super(type, table);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) {
      return false;
    }
  }

  /** Reader of the proxy, which resolves to a collection at the end. */
  static final class ImmutableReader extends PlatformReader {
    @SuppressWarnings("NullAway") // no reader is made if it is null
    private static final FieldAccess FIELDS = fields();

    /* Tags, in the lowest byte. */
    private static final int SET = 2;
    private static final int MAP = 3;

    private final Instantiator instantiator;

    private static void checkHashed(ReadContext in, Object[] elements, int kind)
        throws IOException {
      if (kind == MAP && (elements.length & 1) != 0) {
        throw new InvalidObjectException("a map of " + elements.length + " keys and values");
      }
      for (int i = 0; i < elements.length; i += kind == MAP ? 2 : 1) {
        in.hashCost().add(elements[i]);
      }
      in.hashCost().addProbes(elements, kind == MAP ? 2 : 1);
    }

    private ImmutableReader(ReadType type, Instantiator instantiator, @Nullable ShortForm form) {
      super(type, form);
      this.instantiator = instantiator;
    }

    private static @Nullable FieldAccess fields() {
      Class<?> type = find(COLLECTION);
      return type == null ? null : LocalFields.reach(type, "tag", "array");
    }

    static @Nullable Unmarshaler of(ReadType type, LocalClass local, @Nullable ShortForm form) {
      Instantiator instantiator = FIELDS == null ? null : local.instantiator();
      return instantiator == null ? null : new ImmutableReader(type, instantiator, form);
    }

    @Override
    public Object read(ReadContext in, boolean unshared) throws IOException {
      int head = readHead(in);
      boolean isGeneral = head == ShortForms.GENERAL;
      int tag = isGeneral ? readFieldInt(in) : tag(head);
      int length = isGeneral ? readBlockInt(in) : length(head);
      if (length < 0) {
        throw new InvalidObjectException("negative length " + length);
      }
      in.checkPart(Object[].class, length);
      Object object;
      try {
        object = instantiator.newInstance();
      } catch (ReflectiveOperationException e) {
        throw unableToCreate(e);
      }
      Elements.setInt(in, FIELDS, object, tag);
      in.begin(object, type, unshared);
      Object[] elements = Elements.fill(in, Elements.newElements(in, length), length);
      if (((tag & 0xFF) == SET || (tag & 0xFF) == MAP) && !in.isMarked()) {
        checkHashed(in, elements, tag & 0xFF);
      }
      FIELDS.setReference(object, 0, elements);
      end(in);
      return object;
    }
  }
}
