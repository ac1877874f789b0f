package io.karmi.uka.codegen;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.ObjectAccess;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generator of {@link ObjectAccess#readRun} for objects that refer to no others. Those whose bytes
 * have arrived are made in a loop that calls nothing: buffer and position are in local variables,
 * and the objects get their handles together at the end.
 */
final class LeafRunGenerator implements Opcodes {
  private static final String SOURCE = ClassCode.SOURCE;
  private static final String INPUT = Type.getInternalName(InputBuffer.class);

  /** Objects that get their handles together at most, so that memory is asked for in time. */
  private static final int MAXIMUM = 1 << 10;

  /* Locals of the method: its parameters, and what RunGenerator uses. */
  private static final int IN = 1;
  private static final int NUMBER = 2;
  private static final int ELEMENTS = 3;
  private static final int INDEX = 4;
  private static final int ELEMENT = 6;

  private final AccessCode generator;
  private final MakeGenerator making;
  private final BlockCode block;
  private final int blockBytes;
  private final Locals free = new Locals(ELEMENT + 1);

  /* More locals. */
  private final int buffer = free.single();
  private final int bytes = free.single();
  private final int position = free.single();
  private final int object = free.single();
  private final int token = free.single();
  private final int limit = free.single();
  private final int first = free.single();
  private final int end = free.single();

  LeafRunGenerator(
      AccessCode generator, MakeGenerator making, FieldLayout layout, HiddenFieldCode fields) {
    this.generator = generator;
    this.making = making;
    block = new BlockCode(generator, fields, layout.block, AccessCode.SETTERS);
    blockBytes = layout.block.bytes;
  }

  /** Adds the method. */
  void generate(RunGenerator runs) {
    MethodVisitor code = runs.beginRun();
    Label again = new Label();
    Label loop = new Label();
    Label done = new Label();
    Label oneByOne = new Label();
    code.visitLabel(again);
    begin(code, oneByOne);
    code.visitLabel(loop);
    endLoop(code, done);
    make(code);
    code.visitJumpInsn(GOTO, loop);
    code.visitLabel(done);
    finish(code, again);
    code.visitLabel(oneByOne);
    runs.readNext(code, again);
  }

  /** Sets the locals; jumps if each object has to be asked for. */
  private void begin(MethodVisitor code, Label oneByOne) {
    code.visitVarInsn(ALOAD, IN);
    code.visitVarInsn(ILOAD, NUMBER);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "runToken", "(I)I", false);
    code.visitVarInsn(ISTORE, token);
    code.visitVarInsn(ILOAD, token);
    code.visitJumpInsn(IFEQ, oneByOne);
    code.visitVarInsn(ALOAD, IN);
    code.visitFieldInsn(GETFIELD, SOURCE, "buffer", "L" + INPUT + ";");
    code.visitVarInsn(ASTORE, buffer);
    get(code, "bytes", "[B");
    code.visitVarInsn(ASTORE, bytes);
    get(code, "position", "I");
    code.visitVarInsn(ISTORE, position);
    get(code, "limit", "I");
    Push.number(code, 1 + blockBytes);
    code.visitInsn(ISUB);
    code.visitVarInsn(ISTORE, limit);
    code.visitVarInsn(ILOAD, INDEX);
    code.visitVarInsn(ISTORE, first);
    code.visitVarInsn(ILOAD, INDEX);
    Push.number(code, MAXIMUM);
    code.visitInsn(IADD);
    code.visitVarInsn(ALOAD, ELEMENTS);
    code.visitInsn(ARRAYLENGTH);
    code.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "min", "(II)I", false);
    code.visitVarInsn(ISTORE, end);
  }

  private void get(MethodVisitor code, String field, String descriptor) {
    code.visitVarInsn(ALOAD, buffer);
    code.visitFieldInsn(GETFIELD, INPUT, field, descriptor);
  }

  /** Jumps unless another object of the type has arrived. */
  private void endLoop(MethodVisitor code, Label done) {
    code.visitVarInsn(ILOAD, INDEX);
    code.visitVarInsn(ILOAD, end);
    code.visitJumpInsn(IF_ICMPGE, done);
    code.visitVarInsn(ILOAD, position);
    code.visitVarInsn(ILOAD, limit);
    code.visitJumpInsn(IF_ICMPGT, done);
    code.visitVarInsn(ALOAD, bytes);
    code.visitVarInsn(ILOAD, position);
    code.visitInsn(BALOAD);
    code.visitVarInsn(ILOAD, token);
    code.visitJumpInsn(IF_ICMPNE, done);
  }

  private void make(MethodVisitor code) {
    code.visitIincInsn(position, 1);
    making.allocate(code, ELEMENT);
    generator.pushObject(code, ELEMENT);
    code.visitVarInsn(ASTORE, object);
    block.call(code, object, bytes, position);
    code.visitVarInsn(ALOAD, ELEMENTS);
    code.visitVarInsn(ILOAD, INDEX);
    code.visitVarInsn(ALOAD, ELEMENT);
    code.visitInsn(AASTORE);
    code.visitIincInsn(INDEX, 1);
    code.visitVarInsn(ILOAD, position);
    Push.number(code, blockBytes);
    code.visitInsn(IADD);
    code.visitVarInsn(ISTORE, position);
  }

  /** Gives the handles; begins again if the bytes may go on. */
  private void finish(MethodVisitor code, Label again) {
    code.visitVarInsn(ALOAD, buffer);
    code.visitVarInsn(ILOAD, position);
    code.visitFieldInsn(PUTFIELD, INPUT, "position", "I");
    code.visitVarInsn(ALOAD, IN);
    code.visitVarInsn(ALOAD, ELEMENTS);
    code.visitVarInsn(ILOAD, first);
    code.visitVarInsn(ILOAD, INDEX);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "addLeaves", "([Ljava/lang/Object;II)V", false);
    Label ends = new Label();
    code.visitVarInsn(ILOAD, INDEX);
    code.visitVarInsn(ILOAD, end);
    code.visitJumpInsn(IF_ICMPLT, ends);
    code.visitVarInsn(ILOAD, INDEX);
    code.visitVarInsn(ALOAD, ELEMENTS);
    code.visitInsn(ARRAYLENGTH);
    code.visitJumpInsn(IF_ICMPLT, again);
    code.visitLabel(ends);
  }
}
