package io.karmi.uka.field;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * All serializable fields that one class declares, whatever their access: primitives move as one
 * block (KaRMI paper, 3.5), references one by one or all together.
 *
 * <p>The block has no padding; a boolean is one byte. Its byte order is fixed when the access is
 * made. References are counted from 0. Thread-safe: an access has no state of its own.
 */
public abstract class FieldAccess extends ObjectAccess {
  private static final FieldAccess[] NO_LEVELS = {};

  /** Set when the access is opened, as generated code has no constructor that takes it. */
  @SuppressWarnings("NullAway.Init")
  protected FieldLayout layout;

  /** For hidden classes, which may live in other packages. */
  protected FieldAccess() {}

  /** Gives an access that has just been made its layout, as generated code has no constructor. */
  public final FieldAccess withLayout(FieldLayout fields) {
    layout = fields;
    return this;
  }

  /** Counts a use; true if a provisional access has been used often, and is to be replaced. */
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

  /**
   * Copies the primitive fields of {@code object} to {@code bytes[position..]}, which must have
   * room.
   */
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
   * Sets all fields, the way the JDK does: no field changes unless every reference has the right
   * type.
   *
   * @throws ClassCastException as {@link #checkReference}
   */
  public void setFields(Object object, byte[] bytes, int position, @Nullable Object[] values) {
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
   * Puts the opening before a block of full width that lies behind its place already, and makes the
   * block narrower if it may be and can be.
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
   * Reads all fields that {@link #write} wrote. No field changes before the last one has been read,
   * nor if a reference has the wrong type or the object is not intact.
   *
   * @param handle the object's, for the source
   * @throws ClassCastException as {@link #checkReference}
   */
  public final void read(FieldSource source, Object object, int handle) throws IOException {
    read(source, object, handle, NO_LEVELS, 0);
  }

  /**
   * The same where the fields of further classes of the object's hierarchy follow: all are read,
   * and found to fit, before the first one is set.
   *
   * @param levels how the fields of these classes are read
   * @param next the index of the class that comes next
   */
  public void read(FieldSource source, Object object, int handle, FieldAccess[] levels, int next)
      throws IOException {
    byte[] block = new byte[layout.primitiveBytes];
    @Nullable Object[] values = new @Nullable Object[layout.referenceCount()];
    readValues(source, handle, block, values);
    ClassCastException misfit = misfit(object, values);
    if (misfit == null) {
      readNext(source, object, handle, levels, next);
    } else {
      refuse(misfit, source, handle, levels, next);
    }
    if (source.isIntact(handle)) {
      setFields(object, block, 0, values);
    }
  }

  private void readValues(FieldSource source, int handle, byte[] block, @Nullable Object[] values)
      throws IOException {
    source.buffer.readBytes(block, 0, block.length);
    for (int i = 0; i < values.length; i++) {
      if (layout.reference(i) == null) {
        source.skipReference();
      } else {
        values[i] = source.readReference(handle);
      }
    }
  }

  /** Reads the fields of the class that comes next, if there is one, and of those behind it. */
  public static void readNext(
      FieldSource source, Object object, int handle, FieldAccess[] levels, int next)
      throws IOException {
    if (next < levels.length) {
      levels[next].read(source, object, handle, levels, next + 1);
    }
  }

  /**
   * Ends the reading of an object of which a reference has the wrong type. What the stream has of
   * the classes that come next is read before, and set nowhere.
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

  /** Whether {@link #readNew} makes records; else they are made from values that have been read. */
  public boolean makesRecords() {
    return false;
  }

  /**
   * Reads an object whose class is the declaring one, and needs no constructor but a record's:
   * makes it, and reads its fields.
   *
   * @return the object; null if it is a record that is not intact
   * @throws java.io.InvalidObjectException if a record cannot be made of what has been read
   */
  @Override
  public @Nullable Object readNew(FieldSource source) throws IOException {
    Object object = allocate(layout.declaring);
    int handle = source.begin(object);
    read(source, object, handle);
    source.end(handle);
    return object;
  }

  /** What is wrong with the first of the values that could not be assigned; null if all could. */
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
