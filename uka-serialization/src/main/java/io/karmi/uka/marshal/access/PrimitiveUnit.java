package io.karmi.uka.marshal.access;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Adjacent primitive fields that together fill 1, 2, 4 or 8 bytes and move in one store or load.
 *
 * <p>Thirty-two stores of one int each cost C2 its inlining budget and run as calls; sixteen stores of eight bytes, in
 * methods small enough to inline, run at the speed of a memory copy.
 */
final class PrimitiveUnit implements Opcodes {
  private static final String BLOCK = "io/karmi/uka/marshal/access/PrimitiveBlock";
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
      size += FieldLayout.sizeOf(layout.codes[i]);
    }
    return size;
  }

  /** Fields of local 0 to the array in local 1, whose position is local 2. */
  void emitGet(MethodVisitor code, FieldCode fields) throws ReflectiveOperationException {
    pushAddress(code);
    for (int i = first; i < end; i++) {
      pushBits(code, fields, i);
      if (i > first) {
        code.visitInsn(size == 8 ? LOR : IOR);
      }
    }
    reverse(code);
    String value = size == 8 ? "J" : "I";
    code.visitMethodInsn(INVOKESTATIC, BLOCK, "put" + width(), "([BI" + value + ")V", false);
  }

  /** The array in local 1, whose position is local 2, to the fields of local 0. Uses locals from 3 on. */
  void emitSet(MethodVisitor code, FieldCode fields) throws ReflectiveOperationException {
    pushAddress(code);
    String value = size == 8 ? "J" : "I";
    code.visitMethodInsn(INVOKESTATIC, BLOCK, "get" + width(), "([BI)" + value, false);
    reverse(code);
    code.visitVarInsn(size == 8 ? LSTORE : ISTORE, 3);
    for (int i = first; i < end; i++) {
      if (layout.fields[i] != null) {
        popBits(code, i);
        fields.store(code, i, 0, 5);
      }
    }
  }

  private void pushAddress(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 2);
    code.visitLdcInsn(layout.offsets[first]);
    code.visitInsn(IADD);
  }

  private void pushBits(MethodVisitor code, FieldCode fields, int index)
      throws ReflectiveOperationException {
    char type = layout.codes[index];
    if (layout.fields[index] == null) {
      code.visitInsn(size == 8 ? LCONST_0 : ICONST_0);
      return;
    }
    fields.load(code, index, 0);
    /* Big-endian is the JDK's own format, which knows one NaN only. */
    String raw = layout.order == ByteOrder.LITTLE_ENDIAN ? "Raw" : "";
    if (type == 'F') {
      bits(code, "java/lang/Float", "floatTo" + raw + "IntBits", "(F)I");
    } else if (type == 'D') {
      bits(code, "java/lang/Double", "doubleTo" + raw + "LongBits", "(D)J");
    }
    if (size == 8) {
      widen(code, type);
    } else if (FieldLayout.sizeOf(type) < size) {
      code.visitLdcInsn(FieldLayout.sizeOf(type) == 1 ? 0xFF : 0xFFFF);
      code.visitInsn(IAND);
    }
    int shift = shift(index);
    if (shift > 0) {
      code.visitIntInsn(BIPUSH, shift);
      code.visitInsn(size == 8 ? LSHL : ISHL);
    }
  }

  private static void widen(MethodVisitor code, char type) {
    if (FieldLayout.sizeOf(type) == 8) {
      return;
    }
    code.visitInsn(I2L);
    code.visitLdcInsn((1L << (8 * FieldLayout.sizeOf(type))) - 1);
    code.visitInsn(LAND);
  }

  private void popBits(MethodVisitor code, int index) {
    char type = layout.codes[index];
    code.visitVarInsn(size == 8 ? LLOAD : ILOAD, 3);
    int shift = shift(index);
    if (shift > 0) {
      code.visitIntInsn(BIPUSH, shift);
      code.visitInsn(size == 8 ? LUSHR : IUSHR);
    }
    if (size == 8 && FieldLayout.sizeOf(type) < 8) {
      code.visitInsn(L2I);
    }
    narrow(code, type);
  }

  /** Leaves a value of the field's type in local 5. */
  private static void narrow(MethodVisitor code, char type) {
    int store = ISTORE;
    switch (type) {
      case 'Z' -> nonZero(code);
      case 'B' -> code.visitInsn(I2B);
      case 'S' -> code.visitInsn(I2S);
      case 'C' -> code.visitInsn(I2C);
      case 'J' -> store = LSTORE;
      case 'F' -> {
        bits(code, "java/lang/Float", "intBitsToFloat", "(I)F");
        store = FSTORE;
      }
      case 'D' -> {
        bits(code, "java/lang/Double", "longBitsToDouble", "(J)D");
        store = DSTORE;
      }
      default -> { }
    }
    code.visitVarInsn(store, 5);
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
        : 8 * (size - offset - FieldLayout.sizeOf(layout.codes[index]));
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
