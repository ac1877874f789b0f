package io.karmi.uka.field;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Access field by field: slow, and ready at once, for the first objects of most classes. To
 * generate code takes as long as some thousand objects. The count of uses is not synchronized.
 */
abstract class FieldwiseAccess extends FieldAccess {
  /** Uses before a provisional access is to be replaced. */
  static final int MAXIMUM_USES = 100;

  private static final int NAN = Float.floatToIntBits(Float.NaN);
  private static final long WIDE_NAN = Double.doubleToLongBits(Double.NaN);

  private final FieldLayout full;
  private final boolean provisional;
  private int uses;

  FieldwiseAccess(FieldLayout layout, boolean provisional) {
    this.layout = layout;
    this.provisional = provisional;
    full = layout.withWidth(NumberWidth.FULL);
  }

  /** The bits of a primitive field of the local class; those above its width do not matter. */
  abstract long bits(Object object, int field);

  /** Sets a primitive field of the local class; the bits above its width do not matter. */
  abstract void setBits(Object object, int field, long bits);

  @Override
  public final boolean isProvisional() {
    return provisional;
  }

  @Override
  public final boolean isDue() {
    return provisional && ++uses > MAXIMUM_USES;
  }

  @Override
  public final void getPrimitives(Object object, byte[] bytes, int position) {
    ByteBuffer block = ByteBuffer.allocate(full.primitiveBytes).order(layout.block.order);
    for (int i = 0; i < layout.primitiveCount; i++) {
      if (layout.fields[i] != null) {
        put(block, i, bits(object, i));
      }
    }
    full.block.width.copy(
        block.array(), 0, layout.block.codes, layout.block.width, bytes, position);
  }

  private void put(ByteBuffer block, int field, long bits) {
    int offset = full.block.offsets[field];
    switch (full.block.sizeOf(field)) {
      case Byte.BYTES -> block.put(offset, (byte) bits);
      case Short.BYTES -> block.putShort(offset, (short) bits);
      case Integer.BYTES -> block.putInt(offset, isNan(field, bits) ? NAN : (int) bits);
      default -> block.putLong(offset, isNan(field, bits) ? WIDE_NAN : bits);
    }
  }

  @Override
  public final void setPrimitives(Object object, byte[] bytes, int position) {
    ByteBuffer block = ByteBuffer.allocate(full.primitiveBytes).order(layout.block.order);
    layout.block.width.copy(
        bytes, position, layout.block.codes, full.block.width, block.array(), 0);
    for (int i = 0; i < layout.primitiveCount; i++) {
      if (layout.fields[i] != null) {
        setBits(object, i, bits(block, i));
      }
    }
  }

  private long bits(ByteBuffer block, int field) {
    int offset = full.block.offsets[field];
    return switch (full.block.sizeOf(field)) {
      case Byte.BYTES -> block.get(offset);
      case Short.BYTES -> block.getShort(offset);
      case Integer.BYTES -> block.getInt(offset);
      default -> block.getLong(offset);
    };
  }

  /** Whether a value is a NaN, of which the JDK's format, which is big-endian, has only one. */
  private boolean isNan(int field, long bits) {
    return layout.block.order == ByteOrder.BIG_ENDIAN
        && (layout.codes[field] == 'F' && Float.isNaN(Float.intBitsToFloat((int) bits))
            || layout.codes[field] == 'D' && Double.isNaN(Double.longBitsToDouble(bits)));
  }
}
