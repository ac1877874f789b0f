package io.karmi.uka.field;

import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one object on their way between the JDK and a {@link StreamAccess}: as a block and
 * references on our side, by name on the JDK's.
 *
 * <p>The JDK names fields in canonical order with the very strings that {@link
 * java.lang.reflect.Field#getName} returns, so that a cursor finds nearly all of them.
 */
final class StreamFields {
  final byte[] bytes;
  final @Nullable Object[] references;
  private final ByteBuffer block;
  private final FieldLayout layout;

  /** Fields that the layout does not mention. */
  private final Map<String, @Nullable Object> others = new HashMap<>(0);

  private int cursor;

  StreamFields(FieldLayout layout) {
    this.layout = layout;
    bytes = new byte[layout.primitiveBytes];
    block = ByteBuffer.wrap(bytes).order(layout.block.order);
    references = new @Nullable Object[layout.referenceCount()];
  }

  ObjectOutputStream.PutField putFields() {
    cursor = 0;
    return new Put();
  }

  ObjectInputStream.GetField getFields() {
    cursor = 0;
    return new Get();
  }

  @SuppressWarnings({"StringEquality", "ReferenceEquality"}) // the fast way to the same answer
  private int indexOf(String name) {
    int next = cursor;
    if (next < layout.fields.length
        && layout.fields[next] != null
        && layout.fields[next].getName() == name) {
      cursor = next + 1;
      return next;
    }
    for (int i = 0; i < layout.fields.length; i++) {
      if (layout.fields[i] != null && layout.fields[i].getName().equals(name)) {
        cursor = i + 1;
        return i;
      }
    }
    return -1;
  }

  private int offsetOf(String name) {
    int index = indexOf(name);
    return index < 0 ? -1 : layout.block.offsets[index];
  }

  private final class Put extends ObjectOutputStream.PutField {
    @Override
    public void put(String name, boolean value) {
      int offset = offsetOf(name);
      if (offset < 0) {
        others.put(name, value);
      } else {
        bytes[offset] = (byte) (value ? 1 : 0);
      }
    }

    @Override
    public void put(String name, byte value) {
      int offset = offsetOf(name);
      if (offset < 0) {
        others.put(name, value);
      } else {
        bytes[offset] = value;
      }
    }

    @Override
    public void put(String name, char value) {
      int offset = offsetOf(name);
      if (offset < 0) {
        others.put(name, value);
      } else {
        block.putChar(offset, value);
      }
    }

    @Override
    public void put(String name, short value) {
      int offset = offsetOf(name);
      if (offset < 0) {
        others.put(name, value);
      } else {
        block.putShort(offset, value);
      }
    }

    @Override
    public void put(String name, int value) {
      int offset = offsetOf(name);
      if (offset < 0) {
        others.put(name, value);
      } else {
        block.putInt(offset, value);
      }
    }

    @Override
    public void put(String name, long value) {
      int offset = offsetOf(name);
      if (offset < 0) {
        others.put(name, value);
      } else {
        block.putLong(offset, value);
      }
    }

    @Override
    public void put(String name, float value) {
      int offset = offsetOf(name);
      if (offset < 0) {
        others.put(name, value);
      } else {
        block.putFloat(offset, value);
      }
    }

    @Override
    public void put(String name, double value) {
      int offset = offsetOf(name);
      if (offset < 0) {
        others.put(name, value);
      } else {
        block.putDouble(offset, value);
      }
    }

    @Override
    public void put(String name, @Nullable Object value) {
      int index = indexOf(name);
      if (index < 0) {
        others.put(name, value);
      } else {
        references[index - layout.primitiveCount] = value;
      }
    }

    @Override
    @Deprecated
    public void write(ObjectOutput out) {
      throw new UnsupportedOperationException("these fields are not written to a stream");
    }
  }

  private final class Get extends ObjectInputStream.GetField {
    @Override
    public ObjectStreamClass getObjectStreamClass() {
      return ObjectStreamClass.lookup(layout.declaring);
    }

    @Override
    public boolean defaulted(String name) {
      return false;
    }

    @Override
    public boolean get(String name, boolean absent) {
      int offset = offsetOf(name);
      return offset < 0 ? (boolean) others.getOrDefault(name, absent) : bytes[offset] != 0;
    }

    @Override
    public byte get(String name, byte absent) {
      int offset = offsetOf(name);
      return offset < 0 ? (byte) others.getOrDefault(name, absent) : bytes[offset];
    }

    @Override
    public char get(String name, char absent) {
      int offset = offsetOf(name);
      return offset < 0 ? (char) others.getOrDefault(name, absent) : block.getChar(offset);
    }

    @Override
    public short get(String name, short absent) {
      int offset = offsetOf(name);
      return offset < 0 ? (short) others.getOrDefault(name, absent) : block.getShort(offset);
    }

    @Override
    public int get(String name, int absent) {
      int offset = offsetOf(name);
      return offset < 0 ? (int) others.getOrDefault(name, absent) : block.getInt(offset);
    }

    @Override
    public long get(String name, long absent) {
      int offset = offsetOf(name);
      return offset < 0 ? (long) others.getOrDefault(name, absent) : block.getLong(offset);
    }

    @Override
    public float get(String name, float absent) {
      int offset = offsetOf(name);
      return offset < 0 ? (float) others.getOrDefault(name, absent) : block.getFloat(offset);
    }

    @Override
    public double get(String name, double absent) {
      int offset = offsetOf(name);
      return offset < 0 ? (double) others.getOrDefault(name, absent) : block.getDouble(offset);
    }

    @Override
    public @Nullable Object get(String name, @Nullable Object absent) {
      int index = indexOf(name);
      return index < 0
          ? others.getOrDefault(name, absent)
          : references[index - layout.primitiveCount];
    }
  }
}
