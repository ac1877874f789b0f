package io.karmi.uka.platform;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Hash of a string by which a writer looks for it: of the bytes of its field {@code value}, eight
 * at a time. {@link String#hashCode} takes them one by one on some JDKs, and most strings that are
 * written have not been asked for it yet. It is used where the field is not accessible, and for
 * long strings, as these keep it.
 *
 * <p>Equal strings have equal hashes. Thread-safe.
 */
public final class StringHash {
  /** Longest string that is hashed here, in bytes. */
  private static final int LONGEST = 128;

  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);

  /* Odd numbers of random bits. */
  private static final long FIRST = 0x9E3779B97F4A7C15L;
  private static final long SECOND = 0xC2B2AE3D27D4EB4FL;

  /** Field {@code hash}; null if that is not accessible. */
  private static final @Nullable PrivateField KEPT = PrivateField.of(String.class, "hash");

  private StringHash() {}

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.nativeOrder());
  }

  /** Whether {@link String#hashCode} costs less than {@link #of}: mostly as the string keeps it. */
  public static boolean isKept(String text) {
    return KEPT == null || StringCoder.value(text) == null || KEPT.getInt(text) != 0;
  }

  /** The hash of a string. */
  public static int of(String text) {
    byte[] value = StringCoder.value(text);
    if (value == null || value.length > LONGEST) {
      return text.hashCode();
    }
    int length = value.length;
    return length < Long.BYTES ? ofFew(value, length) : ofMany(value, length);
  }

  /** Fewer than eight bytes, in one number. */
  private static int ofFew(byte[] value, int length) {
    if (length >= Integer.BYTES) {
      long first = (int) INTS.get(value, 0);
      return mix(first * SECOND ^ (int) INTS.get(value, length - Integer.BYTES));
    }
    return length == 0
        ? 0
        : mix(value[0] << 16 ^ value[length >> 1] << 8 ^ value[length - 1] ^ length << 24);
  }

  /** Eight bytes or more, in two sums: the processor multiplies both at once. */
  private static int ofMany(byte[] value, int length) {
    long first = FIRST;
    long second = length;
    int last = length - 2 * Long.BYTES;
    for (int i = 0; i < last; i += 2 * Long.BYTES) {
      first = (first ^ (long) LONGS.get(value, i)) * SECOND;
      second = (second ^ (long) LONGS.get(value, i + Long.BYTES)) * FIRST;
    }
    /* The last sixteen bytes, or the first and the last eight, which may overlap. */
    first = (first ^ (long) LONGS.get(value, Math.max(last, 0))) * SECOND;
    second = (second ^ (long) LONGS.get(value, length - Long.BYTES)) * FIRST;
    return mix(first ^ Long.rotateLeft(second, Integer.SIZE));
  }

  /** Mixes all bits into the upper half, which it returns. */
  private static int mix(long sum) {
    return (int) ((sum ^ sum >>> Integer.SIZE) * FIRST >>> Integer.SIZE);
  }
}
