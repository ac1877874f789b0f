package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Adjacent primitive fields that together fill 1, 2, 4 or 8 bytes and move in one store or load.
 *
 * <p>Thirty-two stores of one int each cost C2 its inlining budget and run as calls; sixteen stores
 * of eight bytes, in methods small enough to inline, run at the speed of a memory copy.
 */
final class PrimitiveUnit implements Opcodes {
  private static final String BLOCK = "io/karmi/uka/platform/PrimitiveBlock";
  private static final int LONGEST = 8;

  private final FieldLayout layout;
  private final int first;
  private final int end;
  private final int size;

  private PrimitiveUnit(FieldLayout layout, int first, int end) {
    this.layout = layout;
    this.first = first;
    this.end = end;
    size = sizeOf(layout, first, end);
  }

  static List<PrimitiveUnit> split(FieldLayout layout) {
    List<PrimitiveUnit> units = new ArrayList<>();
    for (int first = 0; first < layout.primitiveCount; ) {
      int end = endOfUnit(layout, first);
      units.add(new PrimitiveUnit(layout, first, end));
      first = end;
    }
    return units;
  }

  private static int endOfUnit(FieldLayout layout, int first) {
    int best = first + 1;
    for (int end = first + 1; end <= layout.primitiveCount; end++) {
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

  private static int sizeOf(FieldLayout layout, int first, int end) {
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

  /** Fields of the object in one local to the array in another, at the position in a third. */
  void emitGet(MethodVisitor code, FieldCode fields, int object, int array, int position)
      throws ReflectiveOperationException {
    pushAddress(code, array, position);
    for (int i = first; i < end; i++) {
      pushBits(code, fields, i, object);
      if (i > first) {
        code.visitInsn(isLong() ? LOR : IOR);
      }
    }
    reverse(code);
    String value = isLong() ? "J" : "I";
    code.visitMethodInsn(INVOKESTATIC, BLOCK, "put" + width(), "([BI" + value + ")V", false);
  }

  /** The bytes of the unit to a local of its own. */
  void emitLoad(MethodVisitor code, int array, int position, int unit) {
    pushAddress(code, array, position);
    String value = isLong() ? "J" : "I";
    code.visitMethodInsn(INVOKESTATIC, BLOCK, "get" + width(), "([BI)" + value, false);
    reverse(code);
    code.visitVarInsn(isLong() ? LSTORE : ISTORE, unit);
  }

  /**
   * What {@link #emitLoad} loaded to the fields of an object. Two locals from {@code scratch} on
   * are used.
   */
  void emitSet(MethodVisitor code, FieldCode fields, int object, int unit, int scratch)
      throws ReflectiveOperationException {
    for (int i = first; i < end; i++) {
      if (layout.fields[i] != null) {
        emitValue(code, i, unit);
        code.visitVarInsn(typeOf(i).getOpcode(ISTORE), scratch);
        fields.store(code, i, object, scratch);
      }
    }
  }

  /** Whether the field with this index is one of the unit's. */
  boolean contains(int index) {
    return first <= index && index < end;
  }

  /** Pushes the value of one field from what {@link #emitLoad} loaded. */
  void emitValue(MethodVisitor code, int index, int unit) {
    code.visitVarInsn(isLong() ? LLOAD : ILOAD, unit);
    int shift = shift(index);
    if (shift > 0) {
      code.visitIntInsn(BIPUSH, shift);
      code.visitInsn(isLong() ? LUSHR : IUSHR);
    }
    if (isLong() && layout.sizeOf(index) < LONGEST) {
      code.visitInsn(L2I);
    }
    narrow(code, layout.codes[index], layout.sizeOf(index));
  }

  private Type typeOf(int index) {
    return Type.getType(String.valueOf(layout.codes[index]));
  }

  private void pushAddress(MethodVisitor code, int array, int position) {
    code.visitVarInsn(ALOAD, array);
    code.visitVarInsn(ILOAD, position);
    code.visitLdcInsn(layout.offsets[first]);
    code.visitInsn(IADD);
  }

  private void pushBits(MethodVisitor code, FieldCode fields, int index, int object)
      throws ReflectiveOperationException {
    char type = layout.codes[index];
    if (layout.fields[index] == null) {
      code.visitInsn(isLong() ? LCONST_0 : ICONST_0);
      return;
    }
    fields.load(code, index, object);
    /* Big-endian is the JDK's own format, which knows one NaN only. */
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
        code.visitLdcInsn(bytes == 1 ? 0xFF : 0xFFFF);
        code.visitInsn(IAND);
      }
    }
    int shift = shift(index);
    if (shift > 0) {
      code.visitIntInsn(BIPUSH, shift);
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
    code.visitLdcInsn((1L << (8 * bytes)) - 1);
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

  /** A whole number that may be narrower than its type. */
  private static void extend(MethodVisitor code, char type, int bytes) {
    if (bytes < Integer.BYTES) {
      code.visitInsn(bytes == 1 ? I2B : I2S);
    }
    if (type == 'J' && bytes < LONGEST) {
      code.visitInsn(I2L);
    }
  }

  /** Any byte but 0 is true; without a branch, so that no stack map is needed. */
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

  private String width() {
    return switch (size) {
      case 1 -> "Byte";
      case 2 -> "Short";
      case 4 -> "Int";
      default -> "Long";
    };
  }
}
