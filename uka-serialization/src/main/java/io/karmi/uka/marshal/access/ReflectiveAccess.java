package io.karmi.uka.marshal.access;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Fields by {@link Field} objects: slow, and ready at once, so that it serves the first objects of
 * most classes. To generate code takes as long as some thousand of these.
 *
 * <p>Unlike the rungs above it has a state, a count that it does not matter to lose.
 */
final class ReflectiveAccess extends FieldAccess {
  /** So many times {@link #isDue} says no. */
  private static final int MOST_USES = 100;

  private final FieldLayout full;
  private final boolean provisional;
  private int uses;

  private ReflectiveAccess(FieldLayout layout, boolean provisional) {
    this.layout = layout;
    this.provisional = provisional;
    full = layout.withWidth(NumberWidth.FULL);
  }

  /**
   * @param provisional whether it is to be replaced when it has been used often
   * @throws IllegalAccessException if nobody may set fields of this class so, or not from here
   */
  static ReflectiveAccess open(FieldLayout layout, boolean provisional)
      throws IllegalAccessException {
    if (layout.declaring.isRecord() || layout.declaring.isHidden()) {
      throw new IllegalAccessException("fields of records and hidden classes cannot be set");
    }
    try {
      for (Field field : layout.fields) {
        if (field != null) {
          field.setAccessible(true);
        }
      }
    } catch (InaccessibleObjectException e) {
      throw new IllegalAccessException(e.getMessage());
    }
    return new ReflectiveAccess(layout, provisional);
  }

  @Override
  public boolean isProvisional() {
    return provisional;
  }

  @Override
  public boolean isDue() {
    return provisional && ++uses > MOST_USES;
  }

  @Override
  public void getPrimitives(Object object, byte[] bytes, int position) {
    ByteBuffer block = ByteBuffer.allocate(full.primitiveBytes).order(layout.order);
    try {
      for (int i = 0; i < layout.primitiveCount; i++) {
        if (layout.fields[i] != null) {
          get(object, i, block);
        }
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    full.width.copy(block.array(), 0, layout.primitives, layout.width, bytes, position);
  }

  private void get(Object object, int index, ByteBuffer block) throws IllegalAccessException {
    Field field = layout.fields[index];
    int offset = full.offsets[index];
    switch (layout.codes[index]) {
      case 'Z' -> block.put(offset, (byte) (field.getBoolean(object) ? 1 : 0));
      case 'B' -> block.put(offset, field.getByte(object));
      case 'C' -> block.putChar(offset, field.getChar(object));
      case 'S' -> block.putShort(offset, field.getShort(object));
      case 'I' -> block.putInt(offset, field.getInt(object));
      case 'F' -> block.putInt(offset, bits(field.getFloat(object)));
      case 'J' -> block.putLong(offset, field.getLong(object));
      default -> block.putLong(offset, bits(field.getDouble(object)));
    }
  }

  /* In the JDK's format, which is big-endian, every NaN is the same one. */

  private int bits(float value) {
    return layout.order == ByteOrder.BIG_ENDIAN
        ? Float.floatToIntBits(value)
        : Float.floatToRawIntBits(value);
  }

  private long bits(double value) {
    return layout.order == ByteOrder.BIG_ENDIAN
        ? Double.doubleToLongBits(value)
        : Double.doubleToRawLongBits(value);
  }

  @Override
  public void setPrimitives(Object object, byte[] bytes, int position) {
    ByteBuffer block = ByteBuffer.allocate(full.primitiveBytes).order(layout.order);
    layout.width.copy(bytes, position, layout.primitives, full.width, block.array(), 0);
    try {
      for (int i = 0; i < layout.primitiveCount; i++) {
        if (layout.fields[i] != null) {
          set(object, i, block);
        }
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private void set(Object object, int index, ByteBuffer block) throws IllegalAccessException {
    Field field = layout.fields[index];
    int offset = full.offsets[index];
    switch (layout.codes[index]) {
      case 'Z' -> field.setBoolean(object, block.get(offset) != 0);
      case 'B' -> field.setByte(object, block.get(offset));
      case 'C' -> field.setChar(object, block.getChar(offset));
      case 'S' -> field.setShort(object, block.getShort(offset));
      case 'I' -> field.setInt(object, block.getInt(offset));
      case 'F' -> field.setFloat(object, block.getFloat(offset));
      case 'J' -> field.setLong(object, block.getLong(offset));
      default -> field.setDouble(object, block.getDouble(offset));
    }
  }

  @Override
  public @Nullable Object getReference(Object object, int index) {
    Field field = layout.reference(index);
    try {
      return field == null ? null : field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void setReference(Object object, int index, @Nullable Object value) {
    checkReference(object, index, value);
    Field field = layout.reference(index);
    try {
      if (field != null) {
        field.set(object, value);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
