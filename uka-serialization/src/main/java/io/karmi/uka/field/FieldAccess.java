package io.karmi.uka.field;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * Access to all serializable fields that one class declares: primitives move as one block (KaRMI
 * paper, 3.5), references one by one or together.
 *
 * <p>The block has no padding; a boolean is one byte; its byte order is that of the layout.
 * References are counted from 0. Thread-safe.
 */
public abstract class FieldAccess extends ObjectAccess {
  private static final FieldAccess[] NO_LEVELS = {};
  private static final @Nullable Object[] NO_REFERENCES = {};

  /** Set by {@link #withLayout}, as generated classes have no constructor with parameters. */
  @SuppressWarnings("NullAway.Init")
  protected FieldLayout layout;

  /** For hidden classes, which may live in other packages. */
  protected FieldAccess() {}

  /** Sets the layout of a new access. */
  public final FieldAccess withLayout(FieldLayout fields) {
    layout = fields;
    return this;
  }

  /** Counts a use; true if a provisional access is to be replaced. */
  public boolean isDue() {
    return false;
  }

  /** Size of the block of primitives. */
  public final int primitiveBytes() {
    return layout.primitiveBytes;
  }

  /** Number of references. */
  public final int references() {
    return layout.referenceCount();
  }

  /** Copies the primitive fields of {@code object} to {@code bytes[position..]}. */
  public abstract void getPrimitives(Object object, byte[] bytes, int position);

  /** Sets the primitive fields of {@code object} from {@code bytes[position..]}. */
  public abstract void setPrimitives(Object object, byte[] bytes, int position);

  /** The value of one reference. */
  public abstract @Nullable Object getReference(Object object, int index);

  /**
   * Sets one reference.
   *
   * @throws ClassCastException naming the value's class, the field, its type and the object's class
   */
  public abstract void setReference(Object object, int index, @Nullable Object value);

  /** Copies all references of {@code object} to {@code values[0..]}. */
  public void getReferences(Object object, @Nullable Object[] values) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      values[i] = getReference(object, i);
    }
  }

  /**
   * Sets all fields; none unless every reference has the right type, as in the JDK.
   *
   * @param source the source of the values
   * @throws ClassCastException as {@link #checkReference}
   */
  public void setFields(
      FieldSource source, Object object, byte[] bytes, int position, @Nullable Object[] values) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      checkReference(object, i, values[i]);
    }
    setPrimitives(object, bytes, position);
    for (int i = 0; i < layout.referenceCount(); i++) {
      setReference(object, i, values[i]);
    }
  }

  /** Writes all fields: the block of primitives, then each reference in canonical order. */
  public final void write(FieldSink sink, Object object) throws IOException {
    write(sink, object, 0, 0);
  }

  @Override
  public void write(FieldSink sink, Object object, long opening, int openingBytes)
      throws IOException {
    OutputBuffer buffer = sink.buffer;
    buffer.reserve(Long.BYTES + layout.primitiveBytes);
    getPrimitives(object, buffer.bytes, buffer.position + openingBytes);
    endBlock(buffer, opening, openingBytes);
    @Nullable Object[] values = new @Nullable Object[layout.referenceCount()];
    getReferences(object, values);
    for (@Nullable Object value : values) {
      sink.writeReference(value);
    }
  }

  /**
   * Writes the opening in front of a block of full width that is in the buffer already, and narrows
   * the block if the opening allows it and the numbers fit.
   */
  final void endBlock(OutputBuffer buffer, long opening, int openingBytes) {
    byte[] bytes = buffer.bytes;
    int start = buffer.position + openingBytes;
    NumberWidth width =
        opening < 0 ? NumberWidth.fitting(bytes, start, layout.block.codes) : NumberWidth.FULL;
    for (int i = 0; i < openingBytes; i++) {
      bytes[buffer.position + i] = (byte) (opening + width.ordinal() >> Byte.SIZE * i);
    }
    int length = layout.primitiveBytes;
    if (width != NumberWidth.FULL) {
      length = layout.block.width.copy(bytes, start, layout.block.codes, width, bytes, start);
    }
    buffer.position = start + length;
  }

  /**
   * Reads all fields that {@link #write} wrote. They are set when all have been read, unless a
   * reference has the wrong type or the object is not intact.
   *
   * @param handle of the object
   * @throws ClassCastException as {@link #checkReference}
   */
  public final void read(FieldSource source, Object object, int handle) throws IOException {
    read(source, object, handle, NO_LEVELS, 0);
  }

  /**
   * As {@link #read(FieldSource, Object, int)}, where the fields of further classes follow: all are
   * read and checked before the first one is set.
   *
   * @param levels accesses to the fields of all classes
   * @param next index of the access that comes next
   */
  public void read(FieldSource source, Object object, int handle, FieldAccess[] levels, int next)
      throws IOException {
    if (layout.referenceCount() == 0 && next >= levels.length) {
      readPrimitives(source, source.isIntact(handle) ? object : null);
      return;
    }
    byte[] block = new byte[layout.primitiveBytes];
    @Nullable Object[] values = new @Nullable Object[layout.referenceCount()];
    readValues(source, handle, block, values);
    if (next < levels.length) {
      ClassCastException misfit = misfit(object, values);
      if (misfit == null) {
        readNext(source, object, handle, levels, next);
      } else {
        refuse(misfit, source, handle, levels, next);
      }
    }
    if (source.isIntact(handle)) {
      setFields(source, object, block, 0, values);
    }
  }

  /** Reads the fields of a class without references, straight to the object if there is one. */
  private void readPrimitives(FieldSource source, @Nullable Object object) throws IOException {
    InputBuffer buffer = source.buffer;
    buffer.require(layout.primitiveBytes);
    if (object != null) {
      setFields(source, object, buffer.bytes, buffer.position, NO_REFERENCES);
    }
    buffer.position += layout.primitiveBytes;
  }

  private void readValues(FieldSource source, int handle, byte[] block, @Nullable Object[] values)
      throws IOException {
    source.buffer.readBytes(block, 0, block.length);
    for (int i = 0; i < values.length; i++) {
      values[i] = readValue(source, handle, layout.reference(i));
    }
  }

  private @Nullable Object readValue(FieldSource source, int handle, @Nullable Field field)
      throws IOException {
    if (field == null) {
      source.skipReference();
      return null;
    }
    Class<?> type = field.getType();
    if (type == String.class) {
      return source.readString(handle);
    }
    if (type == layout.declaring && source.enterIfNext(this)) {
      Object value = readNew(source);
      source.leaveTo(handle);
      return value;
    }
    return source.readReference(handle);
  }

  /** Reads the fields of the next class, if there is one, and of those behind it. */
  public static void readNext(
      FieldSource source, Object object, int handle, FieldAccess[] levels, int next)
      throws IOException {
    if (next < levels.length) {
      levels[next].read(source, object, handle, levels, next + 1);
    }
  }

  /**
   * Ends the reading of an object with a reference of the wrong type, after the fields of the next
   * classes have been read and dropped.
   *
   * @param misfit thrown, unless the object is not intact
   */
  public static void refuse(
      ClassCastException misfit, FieldSource source, int handle, FieldAccess[] levels, int next)
      throws IOException {
    for (int i = next; i < levels.length; i++) {
      FieldLayout layout = levels[i].layout;
      byte[] block = new byte[layout.primitiveBytes];
      levels[i].readValues(source, handle, block, new @Nullable Object[layout.referenceCount()]);
    }
    if (source.isIntact(handle)) {
      throw misfit;
    }
  }

  /** Whether {@link #readNew} makes records. */
  public boolean makesRecords() {
    return false;
  }

  /**
   * Makes an object of the declaring class, without a constructor unless it is a record, and reads
   * its fields.
   *
   * @return the object; null if it is a record that is not intact
   * @throws java.io.InvalidObjectException if a record cannot be made of what has been read
   */
  @Override
  public @Nullable Object readNew(FieldSource source) throws IOException {
    Object object = allocate(layout.declaring);
    if (layout.referenceCount() == 0) {
      readPrimitives(source, object);
      source.addLeaf(object);
      return object;
    }
    int handle = source.begin(object);
    read(source, object, handle);
    source.end(handle);
    return object;
  }

  @Override
  public int readRun(
      FieldSource source, int number, @Nullable Object[] elements, int from, int owner)
      throws IOException {
    int next = from;
    while (next < elements.length && source.takeIfNext(number)) {
      elements[next++] = readNew(source);
      source.dependOnLast(owner);
    }
    return next;
  }

  /** The error for the first value that is not assignable; null if all are. */
  private @Nullable ClassCastException misfit(Object object, @Nullable Object[] values) {
    for (int i = 0; i < values.length; i++) {
      if (!layout.isAssignable(i, values[i])) {
        return layout.mismatch(object, i, values[i]);
      }
    }
    return null;
  }

  /**
   * Checks that {@code value} could be assigned.
   *
   * @throws ClassCastException naming the value's class, the field, its type and the object's class
   */
  public final void checkReference(Object object, int index, @Nullable Object value) {
    if (!layout.isAssignable(index, value)) {
      throw layout.mismatch(object, index, value);
    }
  }
}
