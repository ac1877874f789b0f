package io.karmi.uka.codegen;

import io.karmi.uka.field.BlockLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Unit of adjacent primitive fields that fill 1, 2, 4 or 8 bytes and move in one store or load.
 *
 * <p>Thirty-two stores of an int exceed C2's inlining budget and run as calls; sixteen stores of
 * eight bytes, in methods small enough to inline, run at the speed of a memory copy.
 */
final class BlockUnit implements Opcodes {
  private static final int LONGEST = 8;

  private final BlockLayout layout;
  private final int first;
  private final int end;
  private final int size;

  private BlockUnit(BlockLayout layout, int first, int end) {
    this.layout = layout;
    this.first = first;
    this.end = end;
    size = sizeOf(layout, first, end);
  }

  static List<BlockUnit> split(BlockLayout layout) {
    List<BlockUnit> units = new ArrayList<>();
    for (int first = 0; first < layout.codes.length(); ) {
      int end = endOfUnit(layout, first);
      units.add(new BlockUnit(layout, first, end));
      first = end;
    }
    return units;
  }

  private static int endOfUnit(BlockLayout layout, int first) {
    int best = first + 1;
    for (int end = first + 1; end <= layout.codes.length(); end++) {
      int size = sizeOf(layout, first, end);
      if (size > LONGEST) {
        break;
      }
      if (Integer.bitCount(size) == 1) {
        best = end;
      }
    }
    return best;
  }

  private static int sizeOf(BlockLayout layout, int first, int end) {
    int size = 0;
    for (int i = first; i < end; i++) {
      size += layout.sizeOf(i);
    }
    return size;
  }

  /** Whether the unit needs two local variables. */
  boolean isLong() {
    return size == LONGEST;
  }

  /** Moves fields of the object in one local to an array. */
  void emitGet(
      MethodVisitor code, ClassCode target, FieldCode fields, int object, int array, int position) {
    target.bytes.begin(code, size);
    pushAddress(code, array, position);
    for (int i = first; i < end; i++) {
      pushBits(code, fields, i, object);
      if (i > first) {
        code.visitInsn(isLong() ? LOR : IOR);
      }
    }
    reverse(code);
    target.bytes.store(code, size);
  }

  /** Moves the bytes of the unit from an array to a local of their own. */
  void emitLoad(MethodVisitor code, ClassCode target, int array, int position, int unit) {
    target.bytes.begin(code, size);
    pushAddress(code, array, position);
    target.bytes.load(code, size);
    reverse(code);
    code.visitVarInsn(isLong() ? LSTORE : ISTORE, unit);
  }

  /** Moves what {@link #emitLoad} loaded to the fields of an object. */
  void emitSet(MethodVisitor code, FieldCode fields, int object, int unit) {
    for (int i = first; i < end; i++) {
      if (fields.isPresent(i)) {
        int index = i;
        fields.store(code, index, object, () -> emitValue(code, index, unit));
      }
    }
  }

  boolean contains(int index) {
    return first <= index && index < end;
  }

  /** Pushes the value of one field from what {@link #emitLoad} loaded. */
  void emitValue(MethodVisitor code, int index, int unit) {
    code.visitVarInsn(isLong() ? LLOAD : ILOAD, unit);
    int shift = shift(index);
    if (shift > 0) {
      Push.number(code, shift);
      code.visitInsn(isLong() ? LUSHR : IUSHR);
    }
    if (isLong() && layout.sizeOf(index) < LONGEST) {
      code.visitInsn(L2I);
    }
    narrow(code, layout.codes.charAt(index), layout.sizeOf(index));
  }

  private void pushAddress(MethodVisitor code, int array, int position) {
    code.visitVarInsn(ALOAD, array);
    code.visitVarInsn(ILOAD, position);
    Push.number(code, layout.offsets[first]);
    code.visitInsn(IADD);
  }

  private void pushBits(MethodVisitor code, FieldCode fields, int index, int object) {
    char type = layout.codes.charAt(index);
    if (!fields.isPresent(index)) {
      code.visitInsn(isLong() ? LCONST_0 : ICONST_0);
      return;
    }
    fields.load(code, index, object);
    /* Big-endian is the JDK's format, which has one NaN only. */
    String raw = layout.order == ByteOrder.LITTLE_ENDIAN ? "Raw" : "";
    if (type == 'F') {
      bits(code, "java/lang/Float", "floatTo" + raw + "IntBits", "(F)I");
    } else if (type == 'D') {
      bits(code, "java/lang/Double", "doubleTo" + raw + "LongBits", "(D)J");
    }
    int bytes = layout.sizeOf(index);
    if (isLong()) {
      widen(code, type, bytes);
    } else {
      if (type == 'J') {
        code.visitInsn(L2I);
      }
      if (bytes < size) {
        Push.number(code, bytes == 1 ? 0xFF : 0xFFFF);
        code.visitInsn(IAND);
      }
    }
    int shift = shift(index);
    if (shift > 0) {
      Push.number(code, shift);
      code.visitInsn(isLong() ? LSHL : ISHL);
    }
  }

  private static void widen(MethodVisitor code, char type, int bytes) {
    if (bytes == LONGEST) {
      return;
    }
    if (type != 'J') {
      code.visitInsn(I2L);
    }
    Push.number(code, (1L << (8 * bytes)) - 1);
    code.visitInsn(LAND);
  }

  /** Makes the bits a value of the field's type. */
  private static void narrow(MethodVisitor code, char type, int bytes) {
    switch (type) {
      case 'I', 'J' -> extend(code, type, bytes);
      case 'Z' -> nonZero(code);
      case 'B' -> code.visitInsn(I2B);
      case 'S' -> code.visitInsn(I2S);
      case 'C' -> code.visitInsn(I2C);
      case 'F' -> bits(code, "java/lang/Float", "intBitsToFloat", "(I)F");
      case 'D' -> bits(code, "java/lang/Double", "longBitsToDouble", "(J)D");
      default -> {}
    }
  }

  /** Extends a whole number that may be narrower than its type. */
  private static void extend(MethodVisitor code, char type, int bytes) {
    if (bytes < Integer.BYTES) {
      code.visitInsn(bytes == 1 ? I2B : I2S);
    }
    if (type == 'J' && bytes < LONGEST) {
      code.visitInsn(I2L);
    }
  }

  /** Makes any byte but 0 true, without a branch, which would need a frame. */
  private static void nonZero(MethodVisitor code) {
    code.visitInsn(I2B);
    code.visitInsn(DUP);
    code.visitInsn(INEG);
    code.visitInsn(IOR);
    code.visitIntInsn(BIPUSH, 31);
    code.visitInsn(IUSHR);
  }

  private static void bits(MethodVisitor code, String owner, String name, String descriptor) {
    code.visitMethodInsn(INVOKESTATIC, owner, name, descriptor, false);
  }

  private int shift(int index) {
    int offset = layout.offsets[index] - layout.offsets[first];
    return layout.order == ByteOrder.LITTLE_ENDIAN
        ? 8 * offset
        : 8 * (size - offset - layout.sizeOf(index));
  }

  private void reverse(MethodVisitor code) {
    if (layout.order == ByteOrder.LITTLE_ENDIAN || size == 1) {
      return;
    }
    switch (size) {
      case 2 -> {
        code.visitInsn(I2S);
        bits(code, "java/lang/Short", "reverseBytes", "(S)S");
      }
      case 4 -> bits(code, "java/lang/Integer", "reverseBytes", "(I)I");
      default -> bits(code, "java/lang/Long", "reverseBytes", "(J)J");
    }
  }
}
