package io.karmi.uka.field;

import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;

/**
 * Fields to be written, by name. A subclass locates the bytes of primitives. Every NaN is the same
 * one, as in {@code java.io}.
 */
public abstract class BlockPutField extends ObjectOutputStream.PutField {
  /**
   * A buffer at the place of a primitive field.
   *
   * @throws IllegalArgumentException if there is no such field
   */
  protected abstract ByteBuffer place(String name, Class<?> type);

  @Override
  public final void put(String name, boolean value) {
    place(name, boolean.class).put((byte) (value ? 1 : 0));
  }

  @Override
  public final void put(String name, byte value) {
    place(name, byte.class).put(value);
  }

  @Override
  public final void put(String name, char value) {
    place(name, char.class).putChar(value);
  }

  @Override
  public final void put(String name, short value) {
    place(name, short.class).putShort(value);
  }

  @Override
  public final void put(String name, int value) {
    place(name, int.class).putInt(value);
  }

  @Override
  public final void put(String name, long value) {
    place(name, long.class).putLong(value);
  }

  @Override
  public final void put(String name, float value) {
    place(name, float.class).putInt(Float.floatToIntBits(value));
  }

  @Override
  public final void put(String name, double value) {
    place(name, double.class).putLong(Double.doubleToLongBits(value));
  }
}
