package io.karmi.uka.field;

import io.karmi.uka.platform.PrimitiveBlock;
import java.io.ObjectInputStream;
import java.nio.ByteOrder;

/** Fields that have been read, by name. A subclass locates the bytes of primitives. */
public abstract class BlockGetField extends ObjectInputStream.GetField {
  private static final byte[] EMPTY = {};

  /** The primitives, without padding; narrow ones are little-endian. */
  private byte[] block = EMPTY;

  private boolean bigEndian;
  private NumberWidth width = NumberWidth.FULL;

  /**
   * Sets where the primitives are.
   *
   * @param numbers width of the whole numbers
   */
  protected final void setBlock(byte[] primitives, ByteOrder order, NumberWidth numbers) {
    block = primitives;
    bigEndian = order == ByteOrder.BIG_ENDIAN;
    width = numbers;
  }

  /**
   * Offset of the value of a primitive field in the block; negative if the stream has none.
   *
   * @throws IllegalArgumentException if there is no such field
   */
  protected abstract int place(String name, Class<?> type);

  private short shortAt(int place) {
    short value = (short) PrimitiveBlock.getShort(block, place);
    return bigEndian ? Short.reverseBytes(value) : value;
  }

  private int intAt(int place) {
    int value = PrimitiveBlock.getInt(block, place);
    return bigEndian ? Integer.reverseBytes(value) : value;
  }

  private long longAt(int place) {
    long value = PrimitiveBlock.getLong(block, place);
    return bigEndian ? Long.reverseBytes(value) : value;
  }

  @Override
  public final boolean get(String name, boolean absent) {
    int place = place(name, boolean.class);
    return place < 0 ? absent : block[place] != 0;
  }

  @Override
  public final byte get(String name, byte absent) {
    int place = place(name, byte.class);
    return place < 0 ? absent : block[place];
  }

  @Override
  public final char get(String name, char absent) {
    int place = place(name, char.class);
    return place < 0 ? absent : (char) shortAt(place);
  }

  @Override
  public final short get(String name, short absent) {
    int place = place(name, short.class);
    return place < 0 ? absent : shortAt(place);
  }

  @Override
  public final int get(String name, int absent) {
    int place = place(name, int.class);
    return place < 0
        ? absent
        : width == NumberWidth.FULL ? intAt(place) : width.intAt(block, place);
  }

  @Override
  public final long get(String name, long absent) {
    int place = place(name, long.class);
    return place < 0
        ? absent
        : width == NumberWidth.FULL ? longAt(place) : width.longAt(block, place);
  }

  @Override
  public final float get(String name, float absent) {
    int place = place(name, float.class);
    return place < 0 ? absent : Float.intBitsToFloat(intAt(place));
  }

  @Override
  public final double get(String name, double absent) {
    int place = place(name, double.class);
    return place < 0 ? absent : Double.longBitsToDouble(longAt(place));
  }
}
