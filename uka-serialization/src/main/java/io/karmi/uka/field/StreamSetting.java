package io.karmi.uka.field;

import io.karmi.uka.platform.SerializationFactory;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
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

  @SuppressWarnings("NullAway.Init")
  private NamedFields local;

  /** The layout's block in full width. */
  @SuppressWarnings("NullAway.Init")
  private BlockLayout full;

  /** For each field of the layout its index in the local class; -1 if it has none there. */
  private int[] indexes = {};

  /** Whether the layout has all fields of the local class. */
  private boolean complete;

  /** As the layout has them, if it has these and no others; then its block is theirs. */
  private @Nullable NamedFields same;

  /** For hidden classes, which may live in other packages; {@link #open} must follow. */
  protected StreamSetting() {}

  /**
   * Prepares a new access.
   *
   * @throws ReflectiveOperationException if the JDK does not reach one of the fields
   */
  public final FieldAccess open(FieldLayout fields) throws ReflectiveOperationException {
    local = NamedFields.of(fields.declaring, fields.block.order);
    full = fields.block.withWidth(NumberWidth.FULL);
    findFields(fields);
    MethodHandle writing = SerializationFactory.defaultWriteObject(fields.declaring);
    MethodHandle reading = SerializationFactory.defaultReadObject(fields.declaring);
    if (writing == null || reading == null) {
      throw new NoSuchMethodException("this JDK offers no default methods for the class");
    }
    write = writing.asType(WRITE);
    read = reading.asType(READ);
    return withLayout(fields);
  }

  private void findFields(FieldLayout fields) throws NoSuchFieldException {
    indexes = new int[fields.fields.length];
    int mentioned = 0;
    boolean inOrder = indexes.length == local.count() && full.codes.equals(local.block.codes);
    for (int i = 0; i < indexes.length; i++) {
      Field field = fields.fields[i];
      indexes[i] = field == null ? -1 : local.indexOf(field.getName(), i);
      if (field != null && indexes[i] < 0) {
        throw new NoSuchFieldException(field + " is not serializable");
      }
      mentioned += field == null ? 0 : 1;
      inOrder &= indexes[i] == i;
    }
    complete = mentioned == local.count();
    same = inOrder ? local.withWidth(fields.block.width) : null;
  }

  @Override
  public void setPrimitives(Object object, byte[] bytes, int position) {
    TakenFields values = values(object);
    takePrimitives(bytes, position, values.block);
    read(GivenFields.open(), object, local, values.block, 0, values.references);
  }

  @Override
  public void setReference(Object object, int index, @Nullable Object value) {
    checkReference(object, index, value);
    int field = indexes[layout.primitiveCount + index];
    if (field >= 0) {
      TakenFields values = values(object);
      values.references[local.place(field)] = value;
      read(GivenFields.open(), object, local, values.block, 0, values.references);
    }
  }

  @Override
  public void setFields(
      FieldSource source,
      Object object,
      byte[] bytes,
      int position,
      @Nullable Object[] references) {
    /* The JDK checks all references before it sets the first one. */
    if (same != null) {
      read(source.given(), object, same, bytes, position, references);
      return;
    }
    /* Local fields that this layout does not have keep their values. */
    byte[] block;
    @Nullable Object[] all;
    if (complete) {
      block = new byte[local.block.bytes];
      all = new @Nullable Object[local.references()];
    } else {
      TakenFields values = values(object);
      block = values.block;
      all = values.references;
    }
    takePrimitives(bytes, position, block);
    for (int i = 0; i < layout.referenceCount(); i++) {
      int field = indexes[layout.primitiveCount + i];
      if (field >= 0) {
        all[local.place(field)] = references[i];
      }
    }
    read(source.given(), object, local, block, 0, all);
  }

  /** Copies primitives of the layout to a block of the local class. */
  private void takePrimitives(byte[] bytes, int position, byte[] block) {
    byte[] wide = bytes;
    int start = position;
    if (layout.block.width != NumberWidth.FULL) {
      wide = new byte[full.bytes];
      start = 0;
      layout.block.width.copy(bytes, position, full.codes, NumberWidth.FULL, wide, 0);
    }
    for (int i = 0; i < layout.primitiveCount; i++) {
      if (indexes[i] >= 0) {
        int place = local.place(indexes[i]);
        System.arraycopy(wide, start + full.offsets[i], block, place, full.sizeOf(i));
      }
    }
  }

  /** The block of the layout, in full width, for these values of the local class. */
  final byte[] fullBlock(TakenFields values) {
    if (same != null) {
      return values.block;
    }
    byte[] block = new byte[full.bytes];
    for (int i = 0; i < layout.primitiveCount; i++) {
      if (indexes[i] >= 0) {
        int place = local.place(indexes[i]);
        System.arraycopy(values.block, place, block, full.offsets[i], full.sizeOf(i));
      }
    }
    return block;
  }

  /** A reference of the layout among these values. */
  final @Nullable Object reference(TakenFields values, int index) {
    int field = indexes[layout.primitiveCount + index];
    return field < 0 ? null : values.references[local.place(field)];
  }

  /** The values of all fields. */
  final TakenFields values(Object object) {
    try {
      TakenFields values = new TakenFields(local);
      write.invokeExact(object, (ObjectOutputStream) values);
      return values;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot get the fields of " + layout.declaring.getName(), e);
    }
  }

  private void read(
      GivenFields given,
      Object object,
      NamedFields fields,
      byte[] block,
      int start,
      @Nullable Object[] references) {
    given.give(fields, block, start, references);
    try {
      read.invokeExact(object, (ObjectInputStream) given);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot set the fields of " + layout.declaring.getName(), e);
    } finally {
      given.clear();
    }
  }
}
