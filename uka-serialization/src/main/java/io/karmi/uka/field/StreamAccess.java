package io.karmi.uka.field;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.platform.SerializationFactory;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * Access by the JDK's default {@code writeObject} and {@code readObject} for serialization
 * libraries, which pass all fields of a class to {@code putFields()} of a stream, and get them from
 * {@code readFields()}. The streams here carry no bytes.
 *
 * <p>To set one reference reads and sets all fields; {@link #setFields} is cheaper.
 */
public final class StreamAccess extends FieldAccess {
  private static final MethodType WRITE =
      MethodType.methodType(void.class, Object.class, ObjectOutputStream.class);
  private static final MethodType READ =
      MethodType.methodType(void.class, Object.class, ObjectInputStream.class);

  private final MethodHandle write;
  private final MethodHandle read;

  /** The layout as the JDK fills and empties it. */
  private final FieldLayout full;

  /** Whether the layout has all serializable fields of the local class. */
  private final boolean complete;

  private StreamAccess(FieldLayout layout, MethodHandle write, MethodHandle read) {
    this.layout = layout;
    full = layout.withWidth(NumberWidth.FULL);
    this.write = write.asType(WRITE);
    this.read = read.asType(READ);
    complete = isComplete(layout);
  }

  public static FieldAccess open(FieldLayout layout) throws ReflectiveOperationException {
    ObjectStreamClass local = ObjectStreamClass.lookup(layout.declaring);
    for (Field field : layout.fields) {
      if (field != null && local.getField(field.getName()) == null) {
        throw new NoSuchFieldException(field + " is not serializable");
      }
    }
    MethodHandle write = SerializationFactory.defaultWriteObject(layout.declaring);
    MethodHandle read = SerializationFactory.defaultReadObject(layout.declaring);
    if (write == null || read == null) {
      throw new NoSuchMethodException("this JDK offers no default methods for the class");
    }
    return new StreamAccess(layout, write, read);
  }

  private static boolean isComplete(FieldLayout layout) {
    int mentioned = 0;
    for (Field field : layout.fields) {
      mentioned += field == null ? 0 : 1;
    }
    return mentioned == ObjectStreamClass.lookup(layout.declaring).getFields().length;
  }

  @Override
  public void getPrimitives(Object object, byte[] bytes, int position) {
    StreamFields values = new StreamFields(full);
    write(object, values);
    full.block.width.copy(values.bytes, 0, layout.block.codes, layout.block.width, bytes, position);
  }

  @Override
  public void setPrimitives(Object object, byte[] bytes, int position) {
    StreamFields values = new StreamFields(full);
    write(object, values);
    layout.block.width.copy(bytes, position, layout.block.codes, full.block.width, values.bytes, 0);
    read(object, values);
  }

  @Override
  public @Nullable Object getReference(Object object, int index) {
    StreamFields values = new StreamFields(full);
    write(object, values);
    return values.references[index];
  }

  @Override
  public void setReference(Object object, int index, @Nullable Object value) {
    checkReference(object, index, value);
    StreamFields values = new StreamFields(full);
    write(object, values);
    values.references[index] = value;
    read(object, values);
  }

  @Override
  public void getReferences(Object object, @Nullable Object[] into) {
    StreamFields values = new StreamFields(full);
    write(object, values);
    System.arraycopy(values.references, 0, into, 0, values.references.length);
  }

  @Override
  public void setFields(Object object, byte[] bytes, int position, @Nullable Object[] references) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      checkReference(object, i, references[i]);
    }
    StreamFields values = new StreamFields(full);
    if (!complete) {
      /* Local fields that this layout does not have keep their values. */
      write(object, values);
    }
    layout.block.width.copy(bytes, position, layout.block.codes, full.block.width, values.bytes, 0);
    System.arraycopy(references, 0, values.references, 0, values.references.length);
    read(object, values);
  }

  @Override
  public void write(FieldSink sink, Object object, long opening, int openingBytes)
      throws IOException {
    StreamFields values = new StreamFields(full);
    write(object, values);
    OutputBuffer buffer = sink.buffer;
    buffer.reserve(Long.BYTES + values.bytes.length);
    System.arraycopy(
        values.bytes, 0, buffer.bytes, buffer.position + openingBytes, values.bytes.length);
    endBlock(buffer, opening, openingBytes);
    for (@Nullable Object value : values.references) {
      sink.writeReference(value);
    }
  }

  private void write(Object object, StreamFields values) {
    try {
      write.invokeExact(object, (ObjectOutputStream) new Source(values));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot get the fields of " + layout.declaring.getName(), e);
    }
  }

  private void read(Object object, StreamFields values) {
    try {
      read.invokeExact(object, (ObjectInputStream) new Sink(values));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot set the fields of " + layout.declaring.getName(), e);
    }
  }

  /** Stream for the JDK's default {@code writeObject}. */
  private static final class Source extends ObjectOutputStream {
    private final StreamFields values;

    Source(StreamFields values) throws IOException {
      this.values = values;
    }

    @Override
    public PutField putFields() {
      return values.putFields();
    }

    @Override
    public void writeFields() {}
  }

  /** Stream for the JDK's default {@code readObject}. */
  private static final class Sink extends ObjectInputStream {
    private final StreamFields values;

    Sink(StreamFields values) throws IOException {
      this.values = values;
    }

    @Override
    public GetField readFields() {
      return values.getFields();
    }
  }
}
