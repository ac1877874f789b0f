package io.karmi.uka.marshal.access;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Stores and loads of 2, 4 and 8 bytes at a position of a byte array, called by generated code.
 *
 * <p>Public because hidden classes live in the packages of the classes they serve.
 */
public final class PrimitiveBlock {
  private static final VarHandle LITTLE_SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LITTLE_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LITTLE_LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private PrimitiveBlock() {}

  public static void putByte(byte[] bytes, int position, int value) {
    bytes[position] = (byte) value;
  }

  public static void putShort(byte[] bytes, int position, int value) {
    LITTLE_SHORT.set(bytes, position, (short) value);
  }

  public static void putInt(byte[] bytes, int position, int value) {
    LITTLE_INT.set(bytes, position, value);
  }

  public static void putLong(byte[] bytes, int position, long value) {
    LITTLE_LONG.set(bytes, position, value);
  }

  public static int getByte(byte[] bytes, int position) {
    return bytes[position];
  }

  public static int getShort(byte[] bytes, int position) {
    return (short) LITTLE_SHORT.get(bytes, position);
  }

  public static int getInt(byte[] bytes, int position) {
    return (int) LITTLE_INT.get(bytes, position);
  }

  public static long getLong(byte[] bytes, int position) {
    return (long) LITTLE_LONG.get(bytes, position);
  }
}
