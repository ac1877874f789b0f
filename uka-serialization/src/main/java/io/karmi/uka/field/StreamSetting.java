package io.karmi.uka.field;

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
 * Access whose fields are set by the JDK's default {@code readObject} for serialization libraries,
 * which gets all fields of a class from {@code readFields()} of a stream. It sets final fields in
 * silence where reflection may not. The streams here carry no bytes.
 *
 * <p>Subclasses get the fields. To set one reference sets all fields; {@link #setFields} is
 * cheaper.
 */
public abstract class StreamSetting extends FieldAccess {
  private static final MethodType WRITE =
      MethodType.methodType(void.class, Object.class, ObjectOutputStream.class);
  private static final MethodType READ =
      MethodType.methodType(void.class, Object.class, ObjectInputStream.class);

  @SuppressWarnings("NullAway.Init")
  private MethodHandle write;

  @SuppressWarnings("NullAway.Init")
  private MethodHandle read;

  /** The layout as the JDK fills and empties it. */
  @SuppressWarnings("NullAway.Init")
  private FieldLayout full;

  /** Whether the layout has all serializable fields of the local class. */
  private boolean complete;

  /** For hidden classes, which may live in other packages; {@link #open} must follow. */
  protected StreamSetting() {}

  /**
   * Prepares a new access.
   *
   * @throws ReflectiveOperationException if the JDK does not reach one of the fields
   */
  public final FieldAccess open(FieldLayout fields) throws ReflectiveOperationException {
    ObjectStreamClass local = ObjectStreamClass.lookup(fields.declaring);
    for (Field field : fields.fields) {
      if (field != null && local.getField(field.getName()) == null) {
        throw new NoSuchFieldException(field + " is not serializable");
      }
    }
    MethodHandle writing = SerializationFactory.defaultWriteObject(fields.declaring);
    MethodHandle reading = SerializationFactory.defaultReadObject(fields.declaring);
    if (writing == null || reading == null) {
      throw new NoSuchMethodException("this JDK offers no default methods for the class");
    }
    write = writing.asType(WRITE);
    read = reading.asType(READ);
    full = fields.withWidth(NumberWidth.FULL);
    complete = isComplete(fields);
    return withLayout(fields);
  }

  private static boolean isComplete(FieldLayout layout) {
    int mentioned = 0;
    for (Field field : layout.fields) {
      mentioned += field == null ? 0 : 1;
    }
    return mentioned == ObjectStreamClass.lookup(layout.declaring).getFields().length;
  }

  @Override
  public void setPrimitives(Object object, byte[] bytes, int position) {
    StreamFields values = values(object);
    layout.block.width.copy(bytes, position, layout.block.codes, full.block.width, values.bytes, 0);
    read(object, values);
  }

  @Override
  public void setReference(Object object, int index, @Nullable Object value) {
    checkReference(object, index, value);
    StreamFields values = values(object);
    values.references[index] = value;
    read(object, values);
  }

  @Override
  public void setFields(Object object, byte[] bytes, int position, @Nullable Object[] references) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      checkReference(object, i, references[i]);
    }
    /* Local fields that this layout does not have keep their values. */
    StreamFields values = complete ? new StreamFields(full) : values(object);
    layout.block.width.copy(bytes, position, layout.block.codes, full.block.width, values.bytes, 0);
    System.arraycopy(references, 0, values.references, 0, values.references.length);
    read(object, values);
  }

  /** The values of all fields, in full width. */
  final StreamFields values(Object object) {
    StreamFields values = new StreamFields(full);
    try {
      write.invokeExact(object, (ObjectOutputStream) new Source(values));
      return values;
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
