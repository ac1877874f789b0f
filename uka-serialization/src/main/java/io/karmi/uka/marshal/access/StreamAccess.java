package io.karmi.uka.marshal.access;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Fields by way of the JDK's default {@code writeObject} and {@code readObject} for serialization libraries: they hand
 * all fields of a class level to {@code putFields()} of a stream, and take all of them from {@code readFields()}. The
 * streams here carry no bytes; they are the two ends of that conversation.
 *
 * <p>Setting one reference reads all fields and sets all, so that callers should prefer {@link #setFields}.
 */
final class StreamAccess extends FieldAccess {
  private static final MethodType WRITE =
      MethodType.methodType(void.class, Object.class, ObjectOutputStream.class);
  private static final MethodType READ =
      MethodType.methodType(void.class, Object.class, ObjectInputStream.class);

  private final MethodHandle write;
  private final MethodHandle read;
  private final Map<String, Integer> indexes = new HashMap<>();

  private StreamAccess(FieldLayout layout, MethodHandle write, MethodHandle read) {
    this.layout = layout;
    this.write = write.asType(WRITE);
    this.read = read.asType(READ);
    for (int i = 0; i < layout.fields.length; i++) {
      if (layout.fields[i] != null) {
        indexes.put(layout.fields[i].getName(), i);
      }
    }
  }

  static FieldAccess open(FieldLayout layout) throws ReflectiveOperationException {
    MethodHandle write = SerializationFactory.defaultWriteObject(layout.declaring);
    MethodHandle read = SerializationFactory.defaultReadObject(layout.declaring);
    if (write == null || read == null) {
      throw new NoSuchMethodException("this JDK offers no default methods for the class");
    }
    ObjectStreamClass local = ObjectStreamClass.lookup(layout.declaring);
    for (Field field : layout.fields) {
      if (field != null && local.getField(field.getName()) == null) {
        throw new NoSuchFieldException(field + " is not serializable");
      }
    }
    return new StreamAccess(layout, write, read);
  }

  @Override
  public void getPrimitives(Object object, byte[] bytes, int position) {
    Values values = new Values();
    write(object, values);
    System.arraycopy(values.block.array(), 0, bytes, position, layout.primitiveBytes);
  }

  @Override
  public void setPrimitives(Object object, byte[] bytes, int position) {
    Values values = new Values();
    write(object, values);
    values.block.put(0, bytes, position, layout.primitiveBytes);
    read(object, values);
  }

  @Override
  public Object getReference(Object object, int index) {
    Values values = new Values();
    write(object, values);
    return values.references[index];
  }

  @Override
  public void setReference(Object object, int index, Object value) {
    checkReference(object, index, value);
    Values values = new Values();
    write(object, values);
    values.references[index] = value;
    read(object, values);
  }

  @Override
  public void getReferences(Object object, Object[] into) {
    Values values = new Values();
    write(object, values);
    System.arraycopy(values.references, 0, into, 0, values.references.length);
  }

  @Override
  public void setFields(Object object, byte[] bytes, int position, Object[] references) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      checkReference(object, i, references[i]);
    }
    Values values = new Values();
    if (indexes.size() != ObjectStreamClass.lookup(layout.declaring).getFields().length) {
      /* Local fields that this layout does not mention keep the values they have. */
      write(object, values);
    }
    values.block.put(0, bytes, position, layout.primitiveBytes);
    System.arraycopy(references, 0, values.references, 0, values.references.length);
    read(object, values);
  }

  private void write(Object object, Values values) {
    try {
      write.invokeExact(object, (ObjectOutputStream) new Source(values));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot get the fields of " + layout.declaring.getName(), e);
    }
  }

  private void read(Object object, Values values) {
    try {
      read.invokeExact(object, (ObjectInputStream) new Sink(values));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot set the fields of " + layout.declaring.getName(), e);
    }
  }

  /** The fields of one object, and those that the layout does not mention by name. */
  private final class Values {
    final ByteBuffer block = ByteBuffer.allocate(layout.primitiveBytes).order(layout.order);
    final Object[] references = new Object[layout.referenceCount()];
    final Map<String, Object> others = new HashMap<>();

    Class<?> declaring() {
      return layout.declaring;
    }

    void put(String name, Object value) {
      Integer index = indexes.get(name);
      if (index == null) {
        others.put(name, value);
      } else if (index >= layout.primitiveCount) {
        references[index - layout.primitiveCount] = value;
      } else {
        putPrimitive(layout.codes[index], layout.offsets[index], value);
      }
    }

    private void putPrimitive(char code, int offset, Object value) {
      switch (code) {
        case 'Z' -> block.put(offset, (byte) ((Boolean) value ? 1 : 0));
        case 'B' -> block.put(offset, (Byte) value);
        case 'C' -> block.putChar(offset, (Character) value);
        case 'S' -> block.putShort(offset, (Short) value);
        case 'I' -> block.putInt(offset, (Integer) value);
        case 'J' -> block.putLong(offset, (Long) value);
        case 'F' -> block.putFloat(offset, (Float) value);
        default -> block.putDouble(offset, (Double) value);
      }
    }

    Object get(String name, Object absent) {
      Integer index = indexes.get(name);
      if (index == null) {
        return others.getOrDefault(name, absent);
      }
      return index >= layout.primitiveCount
          ? references[index - layout.primitiveCount]
          : getPrimitive(layout.codes[index], layout.offsets[index]);
    }

    private Object getPrimitive(char code, int offset) {
      return switch (code) {
        case 'Z' -> block.get(offset) != 0;
        case 'B' -> block.get(offset);
        case 'C' -> block.getChar(offset);
        case 'S' -> block.getShort(offset);
        case 'I' -> block.getInt(offset);
        case 'J' -> block.getLong(offset);
        case 'F' -> block.getFloat(offset);
        default -> block.getDouble(offset);
      };
    }
  }

  /** What the JDK's default {@code writeObject} writes to. */
  private static final class Source extends ObjectOutputStream {
    private final Values values;

    Source(Values values) throws IOException {
      this.values = values;
    }

    @Override
    public PutField putFields() {
      return new PutFields(values);
    }

    @Override
    public void writeFields() {}
  }

  /** What the JDK's default {@code readObject} reads from. */
  private static final class Sink extends ObjectInputStream {
    private final Values values;

    Sink(Values values) throws IOException {
      this.values = values;
    }

    @Override
    public GetField readFields() {
      return new GetFields(values);
    }
  }

  private static final class PutFields extends ObjectOutputStream.PutField {
    private final Values values;

    PutFields(Values values) {
      this.values = values;
    }

    @Override
    public void put(String name, boolean value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, byte value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, char value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, short value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, int value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, long value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, float value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, double value) {
      values.put(name, value);
    }

    @Override
    public void put(String name, Object value) {
      values.put(name, value);
    }

    @Override
    @Deprecated
    public void write(ObjectOutput out) {
      throw new UnsupportedOperationException("these fields are not written to a stream");
    }
  }

  private static final class GetFields extends ObjectInputStream.GetField {
    private final Values values;

    GetFields(Values values) {
      this.values = values;
    }

    @Override
    public ObjectStreamClass getObjectStreamClass() {
      return ObjectStreamClass.lookup(values.declaring());
    }

    @Override
    public boolean defaulted(String name) {
      return false;
    }

    @Override
    public boolean get(String name, boolean absent) {
      return (boolean) values.get(name, absent);
    }

    @Override
    public byte get(String name, byte absent) {
      return (byte) values.get(name, absent);
    }

    @Override
    public char get(String name, char absent) {
      return (char) values.get(name, absent);
    }

    @Override
    public short get(String name, short absent) {
      return (short) values.get(name, absent);
    }

    @Override
    public int get(String name, int absent) {
      return (int) values.get(name, absent);
    }

    @Override
    public long get(String name, long absent) {
      return (long) values.get(name, absent);
    }

    @Override
    public float get(String name, float absent) {
      return (float) values.get(name, absent);
    }

    @Override
    public double get(String name, double absent) {
      return (double) values.get(name, absent);
    }

    @Override
    public Object get(String name, Object absent) {
      return values.get(name, absent);
    }
  }
}
