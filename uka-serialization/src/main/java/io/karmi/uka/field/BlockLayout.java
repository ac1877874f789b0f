package io.karmi.uka.field;

import io.karmi.uka.platform.TypeCode;
import java.nio.ByteOrder;

/**
 * Layout of the primitive fields of one class in their block, without padding. It knows no class,
 * as the weaver has class files only.
 */
public final class BlockLayout {
  /** Type code of each primitive, in canonical order. */
  public final String codes;

  public final ByteOrder order;

  /** Width of the block's whole numbers. */
  public final NumberWidth width;

  /** Offset of each primitive in the block, in bytes. */
  public final int[] offsets;

  /** Size of the block. */
  public final int bytes;

  public BlockLayout(String codes, ByteOrder order, NumberWidth width) {
    this.codes = codes;
    this.order = order;
    this.width = width;
    offsets = new int[codes.length()];
    int offset = 0;
    for (int i = 0; i < offsets.length; i++) {
      if (!TypeCode.isPrimitive(codes.charAt(i))) {
        throw new IllegalArgumentException("no primitive: field " + i + " of a block " + codes);
      }
      offsets[i] = offset;
      offset += sizeOf(i);
    }
    bytes = offset;
  }

  /** The same primitives, with whole numbers of another width. */
  public BlockLayout withWidth(NumberWidth other) {
    return other == width ? this : new BlockLayout(codes, order, other);
  }

  /** Size of a primitive in the block, in bytes. */
  public int sizeOf(int index) {
    return width.sizeOf(codes.charAt(index));
  }

  /** Whether the block can be narrower than it is. */
  public boolean canBeNarrower() {
    return width == NumberWidth.FULL
        && order == ByteOrder.LITTLE_ENDIAN
        && (codes.indexOf('I') >= 0 || codes.indexOf('J') >= 0);
  }
}
