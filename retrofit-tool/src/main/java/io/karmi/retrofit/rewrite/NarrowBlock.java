package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rewrite.WeavingPlan.Field;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.InstructionAdapter;

/**
 * The part of a woven {@code marshal} that writes objects of small numbers with narrow ones, as the
 * marshalers that are generated at run time do.
 *
 * <p>A number fits a width if its bits above that are all the same. So what decides is where any
 * number's bits change, united over all numbers: no branch per number.
 */
final class NarrowBlock {
  /** Numbers per method: more, and the JIT would call it where it could be part of its caller. */
  private static final int GROUP = 8;

  /* Where the bits of a number change that does not fit: two ints in a long, or one long. */
  private static final long INTS_BEYOND_HALF = 0x7FFF80007FFF8000L;
  private static final long INTS_BEYOND_BYTE = 0x7FFFFF807FFFFF80L;
  private static final long LONGS_BEYOND_HALF = 0x7FFFFFFF80000000L;
  private static final long LONGS_BEYOND_BYTE = 0x7FFFFFFFFFFFFF80L;

  private static final Type INT = Type.INT_TYPE;
  private static final Type LONG = Type.LONG_TYPE;

  private final Weaver weaver;
  private final WeavingPlan plan;
  private final Type self;

  NarrowBlock(Weaver weaver, WeavingPlan plan, Type self) {
    this.weaver = weaver;
    this.plan = plan;
    this.self = self;
  }

  private List<Field> numbers(Type type) {
    return plan.primitives.stream()
        .filter(field -> field.descriptor().equals(type.getDescriptor()))
        .toList();
  }

  /**
   * Writes opening and block and jumps to {@code written}, if numbers may be narrow and are small;
   * else goes on. The locals are those of {@code marshal}, and two more.
   */
  void write(InstructionAdapter code, Label written) {
    Label wide = new Label();
    Label half = new Label();
    code.load(Weaver.OPENING, LONG);
    code.lconst(0);
    code.lcmp();
    code.ifge(wide);
    add(code, INT, Weaver.INTS, INTS_BEYOND_HALF, wide);
    add(code, LONG, Weaver.LONGS, LONGS_BEYOND_HALF, wide);
    jumpUnlessZero(code, Weaver.INTS, INTS_BEYOND_BYTE, half);
    jumpUnlessZero(code, Weaver.LONGS, LONGS_BEYOND_BYTE, half);
    writeNarrow(code, NumberWidth.BYTE, written);
    code.mark(half);
    weaver.frame(code);
    writeNarrow(code, NumberWidth.HALF, written);
    code.mark(wide);
    weaver.frame(code);
  }

  /**
   * Unites the changes of numbers of one type in a local; jumps if half of the width is too little.
   */
  private void add(InstructionAdapter code, Type type, int sum, long beyondHalf, Label wide) {
    code.lconst(0);
    code.store(sum, LONG);
    for (int first = 0; first < numbers(type).size(); first += GROUP) {
      code.load(0, self);
      code.invokestatic(self.getInternalName(), part(type, first), descriptor(), false);
      code.load(sum, LONG);
      code.or(LONG);
      code.store(sum, LONG);
      jumpUnlessZero(code, sum, beyondHalf, wide);
    }
  }

  private static String part(Type type, int first) {
    return "changes$" + type.getDescriptor() + first;
  }

  private String descriptor() {
    return "(" + self.getDescriptor() + ")J";
  }

  private static void jumpUnlessZero(InstructionAdapter code, int sum, long mask, Label target) {
    code.load(sum, LONG);
    code.lconst(mask);
    code.and(LONG);
    code.lconst(0);
    code.lcmp();
    code.ifne(target);
  }

  private void writeNarrow(InstructionAdapter code, NumberWidth width, Label written) {
    weaver.writeOpening(code, width);
    weaver.callParts(code, width);
    weaver.endBlock(code, Weaver.OUT_BUFFER, plan.primitiveBytes(width));
    code.goTo(written);
  }

  /** The methods that {@link #write} calls. */
  void parts() {
    parts(INT);
    parts(LONG);
    weaver.marshalParts(NumberWidth.HALF);
    weaver.marshalParts(NumberWidth.BYTE);
  }

  private void parts(Type type) {
    List<Field> numbers = numbers(type);
    for (int first = 0; first < numbers.size(); first += GROUP) {
      MethodVisitor method = weaver.part(part(type, first), descriptor());
      InstructionAdapter code = new InstructionAdapter(method);
      code.visitCode();
      changes(code, numbers.subList(first, Math.min(first + GROUP, numbers.size())), type);
      code.areturn(LONG);
      Weaver.end(code);
    }
  }

  /** Unites the changes of numbers of one type: where a bit differs from the next. */
  private void changes(InstructionAdapter code, List<Field> numbers, Type type) {
    int step = type == INT ? 2 : 1;
    for (int i = 0; i < numbers.size(); i += step) {
      push(code, numbers.get(i), type);
      if (type == INT && i + 1 < numbers.size()) {
        push(code, numbers.get(i + 1), type);
        code.iconst(Integer.SIZE);
        code.shl(LONG);
        code.or(LONG);
      }
      code.visitInsn(Opcodes.DUP2);
      code.iconst(1);
      code.ushr(LONG);
      code.xor(LONG);
      if (i > 0) {
        code.or(LONG);
      }
    }
  }

  /* As in FieldGroup, so that the JIT finds it done already where the numbers are stored. */
  private void push(InstructionAdapter code, Field field, Type type) {
    code.load(0, self);
    code.getfield(self.getInternalName(), field.name(), field.descriptor());
    if (type == INT) {
      code.cast(INT, LONG);
      code.lconst((1L << Integer.SIZE) - 1);
      code.and(LONG);
    }
  }
}
