package io.karmi.uka.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Little-endian views of byte arrays as numbers, made once, as a JVM's first object waits for them.
 */
final class LittleEndian {
  static final VarHandle SHORTS = view(short[].class);
  static final VarHandle INTS = view(int[].class);
  static final VarHandle LONGS = view(long[].class);

  private LittleEndian() {}

  /** Views that many programs never need. */
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
