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
 * Fields of one object between the JDK, which has them by name, and a {@link StreamAccess}, which
 * has a block and references.
 *
 * <p>The JDK names fields in canonical order by the strings of {@link
 * java.lang.reflect.Field#getName}, so that a cursor finds nearly all of them.
 */
final class StreamFields {
  final byte[] bytes;
  final @Nullable Object[] references;
  private final ByteBuffer block;
  private final FieldLayout layout;

  /** Fields that the layout does not have. */
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

  /** A buffer at a primitive field; null if the layout does not have it. */
  private @Nullable ByteBuffer find(String name) {
    int index = indexOf(name);
    return index < 0 ? null : block.position(layout.block.offsets[index]);
  }

  private final class Put extends BlockPutField {
    /** As {@link #find}; a field that the layout does not have gets a buffer of its own. */
    @Override
    protected ByteBuffer place(String name, Class<?> type) {
      ByteBuffer place = find(name);
      if (place == null) {
        place = ByteBuffer.allocate(Long.BYTES);
        others.put(name, place);
      }
      return place;
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

  private final class Get extends BlockGetField {
    @Override
    public ObjectStreamClass getObjectStreamClass() {
      return ObjectStreamClass.lookup(layout.declaring);
    }

    @Override
    public boolean defaulted(String name) {
      return false;
    }

    /** A buffer at the value; null if none has been put. */
    @Override
    protected @Nullable ByteBuffer place(String name, Class<?> type) {
      ByteBuffer place = find(name);
      if (place != null) {
        return place;
      }
      ByteBuffer other = (ByteBuffer) others.get(name);
      return other == null ? null : other.rewind();
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
