package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.platform.GeneratedClass;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Generates the part of {@link FieldAccess#write} that writes objects of small numbers with narrow
 * ones.
 *
 * <p>A number fits a width if its bits above that are all the same. So what decides is where any
 * number's bits change, united over all numbers: no branch per number. They go into that in groups,
 * the first of which sends most objects of large numbers on their way already.
 */
final class NarrowGenerator implements Opcodes {
  /** Numbers per method: small enough for C2 to inline each method. */
  private static final int GROUP = 8;

  /* Where the bits of a number change that does not fit: two ints in a long, or one long. */
  private static final long INTS_BEYOND_HALF = 0x7FFF80007FFF8000L;
  private static final long INTS_BEYOND_BYTE = 0x7FFFFF807FFFFF80L;
  private static final long LONGS_BEYOND_HALF = 0x7FFFFFFF80000000L;
  private static final long LONGS_BEYOND_BYTE = 0x7FFFFFFFFFFFFF80L;

  /* Locals of write: those of WriteGenerator, and the changes in ints and in longs. */
  private static final int OBJECT = 6;
  private static final int ARRAY = 8;
  private static final int POSITION = 9;
  private static final int INTS = 10;
  private static final int LONGS = 12;

  private final AccessGenerator generator;
  private final FieldLayout layout;
  private final FieldCode fields;
  private final List<Integer> ints = new ArrayList<>();
  private final List<Integer> longs = new ArrayList<>();

  NarrowGenerator(AccessGenerator generator, FieldLayout layout, FieldCode fields) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
    for (int i = 0; i < layout.primitiveCount; i++) {
      if (layout.fields[i] != null && NumberWidth.isNumber(layout.codes[i])) {
        (layout.codes[i] == 'I' ? ints : longs).add(i);
      }
    }
  }

  /**
   * Writes opening and block and jumps to {@code written}, if numbers may be narrow and are small;
   * else goes on.
   */
  void write(MethodVisitor code, Label written) throws ReflectiveOperationException {
    Label wide = new Label();
    Label half = new Label();
    code.visitVarInsn(LLOAD, 3);
    code.visitInsn(LCONST_0);
    code.visitInsn(LCMP);
    code.visitJumpInsn(IFGE, wide);
    add(code, ints, INTS, INTS_BEYOND_HALF, wide);
    add(code, longs, LONGS, LONGS_BEYOND_HALF, wide);
    jumpUnlessZero(code, INTS, INTS_BEYOND_BYTE, half);
    jumpUnlessZero(code, LONGS, LONGS_BEYOND_BYTE, half);
    writeNarrow(code, NumberWidth.BYTE, written);
    code.visitLabel(half);
    writeNarrow(code, NumberWidth.HALF, written);
    code.visitLabel(wide);
  }

  /**
   * Unites the changes of numbers of one type in a local; jumps if half of the width is too little.
   */
  private void add(MethodVisitor code, List<Integer> numbers, int sum, long beyondHalf, Label wide)
      throws ReflectiveOperationException {
    code.visitInsn(LCONST_0);
    code.visitVarInsn(LSTORE, sum);
    for (int first = 0; first < numbers.size(); first += GROUP) {
      String method = (numbers == ints ? "ints" : "longs") + first;
      changes(method, numbers.subList(first, Math.min(first + GROUP, numbers.size())));
      code.visitVarInsn(ALOAD, OBJECT);
      code.visitMethodInsn(INVOKESTATIC, generator.name, method, descriptor(), false);
      code.visitVarInsn(LLOAD, sum);
      code.visitInsn(LOR);
      code.visitVarInsn(LSTORE, sum);
      jumpUnlessZero(code, sum, beyondHalf, wide);
    }
  }

  private String descriptor() {
    return "(" + fields.objectDescriptor() + ")J";
  }

  private static void jumpUnlessZero(MethodVisitor code, int sum, long mask, Label target) {
    code.visitVarInsn(LLOAD, sum);
    code.visitLdcInsn(mask);
    code.visitInsn(LAND);
    code.visitInsn(LCONST_0);
    code.visitInsn(LCMP);
    code.visitJumpInsn(IFNE, target);
  }

  /** A method that unites the changes of numbers of one type: where a bit differs from the next. */
  private void changes(String method, List<Integer> numbers) throws ReflectiveOperationException {
    MethodVisitor code = generator.method(ACC_PRIVATE | ACC_STATIC, method, descriptor());
    int step = layout.codes[numbers.get(0)] == 'I' ? 2 : 1;
    for (int i = 0; i < numbers.size(); i += step) {
      fields.load(code, numbers.get(i), 0);
      if (step == 2) {
        lowHalf(code);
      }
      if (i + 1 < numbers.size() && step == 2) {
        fields.load(code, numbers.get(i + 1), 0);
        lowHalf(code);
        code.visitIntInsn(BIPUSH, Integer.SIZE);
        code.visitInsn(LSHL);
        code.visitInsn(LOR);
      }
      code.visitInsn(DUP2);
      code.visitInsn(ICONST_1);
      code.visitInsn(LUSHR);
      code.visitInsn(LXOR);
      if (i > 0) {
        code.visitInsn(LOR);
      }
    }
    code.visitInsn(LRETURN);
    GeneratedClass.finish(code);
  }

  /* As in PrimitiveUnit, so that the JIT finds it done already where the numbers are stored. */
  private static void lowHalf(MethodVisitor code) {
    code.visitInsn(I2L);
    code.visitLdcInsn((1L << Integer.SIZE) - 1);
    code.visitInsn(LAND);
  }

  private void writeNarrow(MethodVisitor code, NumberWidth width, Label written)
      throws ReflectiveOperationException {
    FieldLayout narrow = layout.withWidth(width);
    String method = width == NumberWidth.HALF ? "getHalf" : "getBytes";
    generator.primitivesParts(method, narrow, false);
    code.visitVarInsn(LLOAD, 3);
    code.visitLdcInsn((long) width.ordinal());
    code.visitInsn(LADD);
    code.visitVarInsn(LSTORE, 3);
    WriteGenerator.writeOpening(code);
    generator.movePrimitives(code, method, narrow, OBJECT, ARRAY, POSITION);
    TransferGenerator.closeBlock(code, TransferGenerator.OUTPUT, narrow, 7);
    code.visitJumpInsn(GOTO, written);
  }
}
