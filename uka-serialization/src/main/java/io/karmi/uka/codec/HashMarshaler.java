package io.karmi.uka.codec;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.platform.PrimitiveBlock;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/**
 * Hash tables: capacity, load factor, and the elements in the order of the table.
 *
 * <p>The load factor is a private field, reached as any other. The capacity is not even that, but
 * follows from load factor and threshold as a rule. Readers make their own, so that it counts only
 * where bytes are compared with the JDK's.
 */
public abstract class HashMarshaler extends PlatformMarshaler {
  private static final float USUAL_LOAD_FACTOR = 0.75f;
  private static final int USUAL_CAPACITY = 16;
  private static final int UNKNOWN = -1;

  private static final LocalFields MAP_FIELDS = LocalFields.of(LocalClass.of(HashMap.class));

  private HashMarshaler(LocalClass type) {
    super(type);
  }

  /** What a hash table keeps to itself. */
  private record Table(float loadFactor, int threshold, int size) {
    static Table of(ObjectWriter out, HashMap<?, ?> map) throws IOException {
      FieldAccess fields = MAP_FIELDS.access(ByteOrder.LITTLE_ENDIAN);
      /* The buffer beyond its position serves as scratch paper. */
      out.buffer.reserve(fields.primitiveBytes());
      byte[] bytes = out.buffer.bytes;
      int position = out.buffer.position;
      fields.getPrimitives(map, bytes, position);
      return new Table(
          Float.intBitsToFloat(PrimitiveBlock.getInt(bytes, position)),
          PrimitiveBlock.getInt(bytes, position + Float.BYTES),
          map.size());
    }

    /** The true capacity, or any other in a format of our own; {@link #UNKNOWN} if neither. */
    int capacityFor(ObjectWriter out) {
      int capacity = threshold / 3 * 4;
      boolean told =
          size > 0
              && loadFactor == USUAL_LOAD_FACTOR
              && threshold % 3 == 0
              && Integer.bitCount(capacity) == 1;
      if (told) {
        return capacity;
      }
      return out.isLittleEndian() ? USUAL_CAPACITY : UNKNOWN;
    }
  }

  private static void writeFieldInt(ObjectWriter out, int value) throws IOException {
    out.buffer.writeInt(out.isLittleEndian() ? value : Integer.reverseBytes(value));
  }

  /** Writes what {@link HashMap} contributes to its subclasses: fields and entries. */
  final boolean writeMap(ObjectWriter out, HashMap<?, ?> map) throws IOException {
    Table table = Table.of(out, map);
    int capacity = table.capacityFor(out);
    if (capacity == UNKNOWN) {
      return false;
    }
    if (isShort(out) && table.loadFactor == USUAL_LOAD_FACTOR) {
      writeSize(out, table.size);
    } else {
      beginGeneral(out);
      writeFieldInt(out, Float.floatToIntBits(table.loadFactor));
      writeFieldInt(out, table.threshold);
      out.format().openBlock(2 * Integer.BYTES);
      writeBlockInt(out, capacity);
      writeBlockInt(out, table.size);
    }
    out.entries().write(map);
    end(out);
    return true;
  }

  static final class OfMap extends HashMarshaler {
    OfMap(LocalClass type) {
      super(type);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      return writeMap(out, (HashMap<?, ?>) object);
    }
  }

  /** One more field behind the entries. */
  static final class OfLinkedMap extends HashMarshaler {
    private final LocalFields fields;

    OfLinkedMap(LocalClass type) {
      super(type);
      fields = LocalFields.of(type);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      if (!writeMap(out, (HashMap<?, ?>) object)) {
        return false;
      }
      fields.access(out.format().order()).write(out, object);
      return true;
    }
  }

  /** Load factor and capacity are those of a private map; where it is out of reach, so are they. */
  static final class OfSet extends HashMarshaler {
    private static final @Nullable FieldAccess MAP = LocalFields.reach(HashSet.class, "map");

    OfSet(LocalClass type) {
      super(type);
    }

    @Override
    public boolean writeContent(ObjectWriter out, Object object) throws IOException {
      if (MAP == null) {
        return false;
      }
      HashSet<?> set = (HashSet<?>) object;
      HashMap<?, ?> map = (HashMap<?, ?>) MAP.getReference(set, 0);
      if (map == null) {
        /* Not constructed yet. Memory at null would be the VM's end; the class's own method throws. */
        return false;
      }
      Table table = Table.of(out, map);
      int capacity = table.capacityFor(out);
      if (capacity == UNKNOWN) {
        return false;
      }
      if (isShort(out) && table.loadFactor == USUAL_LOAD_FACTOR) {
        writeSize(out, table.size);
      } else {
        beginGeneral(out);
        out.format().openBlock(3 * Integer.BYTES);
        writeBlockInt(out, capacity);
        writeBlockInt(out, Float.floatToIntBits(table.loadFactor));
        writeBlockInt(out, table.size);
      }
      SequenceMarshaler.writeElements(out, set);
      end(out);
      return true;
    }
  }
}
