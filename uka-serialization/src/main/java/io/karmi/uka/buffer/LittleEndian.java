package io.karmi.uka.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Views of byte arrays as numbers, little-endian. There is one of each, since a JVM that writes its
 * first object waits for them to be made.
 */
public final class LittleEndian {
  public static final VarHandle SHORTS = view(short[].class);
  public static final VarHandle INTS = view(int[].class);
  public static final VarHandle LONGS = view(long[].class);

  private LittleEndian() {}

  /** Those that many programs never need. */
  static final class Others {
    static final VarHandle CHARS = view(char[].class);
    static final VarHandle FLOATS = view(float[].class);
    static final VarHandle DOUBLES = view(double[].class);

    private Others() {}
  }

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN);
  }
}
