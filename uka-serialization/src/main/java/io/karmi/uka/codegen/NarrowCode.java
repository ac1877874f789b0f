package io.karmi.uka.codegen;

import io.karmi.uka.field.BlockLayout;
import io.karmi.uka.field.NumberWidth;
import io.karmi.uka.platform.GeneratedClass;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Emitter of the code that writes small numbers with narrow width.
 *
 * <p>A number fits a width if all its bits above that are equal. So the changes between
 * neighbouring bits are united over all numbers, without a branch per number. They are tested in
 * groups, the first of which decides for most objects of large numbers.
 */
final class NarrowCode implements Opcodes {
  /** Numbers per method, which C2 can then inline. */
  private static final int GROUP = 8;

  /* Bit changes of numbers that do not fit: of two ints in a long, or one long. */
  private static final long INTS_BEYOND_HALF = 0x7FFF80007FFF8000L;
  private static final long INTS_BEYOND_BYTE = 0x7FFFFF807FFFFF80L;
  private static final long LONGS_BEYOND_HALF = 0x7FFFFFFF80000000L;
  private static final long LONGS_BEYOND_BYTE = 0x7FFFFFFFFFFFFF80L;

  private final WriteCode writing;
  private final ClassCode target;
  private final FieldCode fields;
  private final BlockLayout layout;
  private final List<Integer> ints = new ArrayList<>();
  private final List<Integer> longs = new ArrayList<>();

  /* Locals for the changes in ints and in longs. */
  private final int intChanges;
  private final int longChanges;

  NarrowCode(
      WriteCode writing, ClassCode target, FieldCode fields, BlockLayout layout, Locals locals) {
    this.writing = writing;
    this.target = target;
    this.fields = fields;
    this.layout = layout;
    intChanges = locals.wide();
    longChanges = locals.wide();
    for (int i = 0; i < layout.codes.length(); i++) {
      if (fields.isPresent(i) && NumberWidth.isNumber(layout.codes.charAt(i))) {
        (layout.codes.charAt(i) == 'I' ? ints : longs).add(i);
      }
    }
  }

  /** Writes opening and block and jumps to {@code written}, if numbers may be narrow and fit. */
  void write(MethodVisitor code, Label written) {
    Label wide = new Label();
    Label half = new Label();
    code.visitVarInsn(LLOAD, writing.opening);
    code.visitInsn(LCONST_0);
    code.visitInsn(LCMP);
    code.visitJumpInsn(IFGE, wide);
    add(code, ints, intChanges, INTS_BEYOND_HALF, wide);
    add(code, longs, longChanges, LONGS_BEYOND_HALF, wide);
    jumpUnlessZero(code, intChanges, INTS_BEYOND_BYTE, half);
    jumpUnlessZero(code, longChanges, LONGS_BEYOND_BYTE, half);
    writeNarrow(code, NumberWidth.BYTE, "getBytes", written);
    target.join(code, half, false);
    writeNarrow(code, NumberWidth.HALF, "getHalf", written);
    target.join(code, wide, false);
  }

  /** Unites the bit changes of numbers of one type in a local; jumps if they do not fit. */
  private void add(
      MethodVisitor code, List<Integer> numbers, int sum, long beyondHalf, Label wide) {
    code.visitInsn(LCONST_0);
    code.visitVarInsn(LSTORE, sum);
    for (int first = 0; first < numbers.size(); first += GROUP) {
      String method = (numbers == ints ? "ints" : "longs") + first;
      changes(method, numbers.subList(first, Math.min(first + GROUP, numbers.size())));
      code.visitVarInsn(ALOAD, writing.object);
      target.callPart(code, method, descriptor());
      code.visitVarInsn(LLOAD, sum);
      code.visitInsn(LOR);
      code.visitVarInsn(LSTORE, sum);
      jumpUnlessZero(code, sum, beyondHalf, wide);
    }
  }

  private String descriptor() {
    return "(" + fields.objectDescriptor() + ")J";
  }

  private static void jumpUnlessZero(MethodVisitor code, int sum, long mask, Label label) {
    code.visitVarInsn(LLOAD, sum);
    Push.number(code, mask);
    code.visitInsn(LAND);
    code.visitInsn(LCONST_0);
    code.visitInsn(LCMP);
    code.visitJumpInsn(IFNE, label);
  }

  /** Adds a method that unites the bit changes of numbers of one type. */
  private void changes(String method, List<Integer> numbers) {
    MethodVisitor code = target.beginPart(method, descriptor());
    int step = layout.codes.charAt(numbers.get(0)) == 'I' ? 2 : 1;
    for (int i = 0; i < numbers.size(); i += step) {
      fields.load(code, numbers.get(i), 0);
      if (step == 2) {
        lowHalf(code);
      }
      if (i + 1 < numbers.size() && step == 2) {
        fields.load(code, numbers.get(i + 1), 0);
        lowHalf(code);
        Push.number(code, Integer.SIZE);
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

  /* As in BlockUnit, so that the JIT shares it with the code that stores the numbers. */
  private static void lowHalf(MethodVisitor code) {
    code.visitInsn(I2L);
    Push.number(code, (1L << Integer.SIZE) - 1);
    code.visitInsn(LAND);
  }

  private void writeNarrow(MethodVisitor code, NumberWidth width, String method, Label written) {
    BlockLayout narrow = layout.withWidth(width);
    BlockCode block = new BlockCode(target, fields, narrow, method);
    block.defineGetters();
    writing.writeOpening(code, width);
    block.call(code, writing.object, writing.buffer.array(), writing.buffer.position());
    writing.buffer.close(code, BufferLocals.OUTPUT, narrow.bytes);
    code.visitJumpInsn(GOTO, written);
  }
}
