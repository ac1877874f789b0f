package io.karmi.uka.platform;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Stores and loads of 1, 2, 4 and 8 bytes of an array, for generated code. Woven code, which is one
 * call deeper, uses the handles: the JIT inlines to a certain depth only.
 *
 * <p>Public for hidden classes in the packages of the classes that they serve.
 */
public final class PrimitiveBlock {
  public static final VarHandle SHORTS = view(short[].class);
  public static final VarHandle INTS = view(int[].class);
  public static final VarHandle LONGS = view(long[].class);

  private PrimitiveBlock() {}

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN);
  }

  public static void putByte(byte[] bytes, int position, int value) {
    bytes[position] = (byte) value;
  }

  public static void putShort(byte[] bytes, int position, int value) {
    SHORTS.set(bytes, position, (short) value);
  }

  public static void putInt(byte[] bytes, int position, int value) {
    INTS.set(bytes, position, value);
  }

  public static void putLong(byte[] bytes, int position, long value) {
    LONGS.set(bytes, position, value);
  }

  public static int getByte(byte[] bytes, int position) {
    return bytes[position];
  }

  public static int getShort(byte[] bytes, int position) {
    return (short) SHORTS.get(bytes, position);
  }

  public static int getInt(byte[] bytes, int position) {
    return (int) INTS.get(bytes, position);
  }

  public static long getLong(byte[] bytes, int position) {
    return (long) LONGS.get(bytes, position);
  }
}
