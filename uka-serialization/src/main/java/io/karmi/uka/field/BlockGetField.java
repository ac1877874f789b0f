package io.karmi.uka.field;

import java.io.ObjectInputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Fields that have been read, by name. A subclass locates the bytes of primitives. */
public abstract class BlockGetField extends ObjectInputStream.GetField {
  /**
   * A buffer at the value of a primitive field; null if the stream has none.
   *
   * @throws IllegalArgumentException if there is no such field
   */
  protected abstract @Nullable ByteBuffer place(String name, Class<?> type);

  @Override
  public final boolean get(String name, boolean absent) {
    ByteBuffer place = place(name, boolean.class);
    return place == null ? absent : place.get() != 0;
  }

  @Override
  public final byte get(String name, byte absent) {
    ByteBuffer place = place(name, byte.class);
    return place == null ? absent : place.get();
  }

  @Override
  public final char get(String name, char absent) {
    ByteBuffer place = place(name, char.class);
    return place == null ? absent : place.getChar();
  }

  @Override
  public final short get(String name, short absent) {
    ByteBuffer place = place(name, short.class);
    return place == null ? absent : place.getShort();
  }

  @Override
  public final int get(String name, int absent) {
    ByteBuffer place = place(name, int.class);
    return place == null ? absent : place.getInt();
  }

  @Override
  public final long get(String name, long absent) {
    ByteBuffer place = place(name, long.class);
    return place == null ? absent : place.getLong();
  }

  @Override
  public final float get(String name, float absent) {
    ByteBuffer place = place(name, float.class);
    return place == null ? absent : place.getFloat();
  }

  @Override
  public final double get(String name, double absent) {
    ByteBuffer place = place(name, double.class);
    return place == null ? absent : place.getDouble();
  }
}
