package io.karmi.uka.field;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import org.jspecify.annotations.Nullable;

/** Access by {@link Field} objects; fields of records can be got and not set. */
public final class ReflectiveAccess extends FieldwiseAccess {
  private ReflectiveAccess(FieldLayout layout, boolean provisional) {
    super(layout, provisional);
  }

  /**
   * Access to these fields.
   *
   * @param provisional whether it is replaced once it has been used often; else the class must be
   *     no record
   * @throws IllegalAccessException if fields of this class cannot be set so, or not from here
   */
  public static ReflectiveAccess open(FieldLayout layout, boolean provisional)
      throws IllegalAccessException {
    if (!provisional && layout.declaring.isRecord()) {
      throw new IllegalAccessException("fields of records cannot be set");
    }
    if (layout.declaring.isHidden()) {
      throw new IllegalAccessException("fields of hidden classes cannot be set");
    }
    layout.requireSettable();
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
  public long bits(Object object, int index) {
    Field field = layout.fields[index];
    try {
      return switch (layout.codes[index]) {
        case 'Z' -> field.getBoolean(object) ? 1 : 0;
        case 'B' -> field.getByte(object);
        case 'C' -> field.getChar(object);
        case 'S' -> field.getShort(object);
        case 'I' -> field.getInt(object);
        case 'F' -> Float.floatToRawIntBits(field.getFloat(object));
        case 'J' -> field.getLong(object);
        default -> Double.doubleToRawLongBits(field.getDouble(object));
      };
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void setBits(Object object, int index, long bits) {
    Field field = layout.fields[index];
    try {
      switch (layout.codes[index]) {
        case 'Z' -> field.setBoolean(object, (byte) bits != 0);
        case 'B' -> field.setByte(object, (byte) bits);
        case 'C' -> field.setChar(object, (char) bits);
        case 'S' -> field.setShort(object, (short) bits);
        case 'I' -> field.setInt(object, (int) bits);
        case 'F' -> field.setFloat(object, Float.intBitsToFloat((int) bits));
        case 'J' -> field.setLong(object, bits);
        default -> field.setDouble(object, Double.longBitsToDouble(bits));
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
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
