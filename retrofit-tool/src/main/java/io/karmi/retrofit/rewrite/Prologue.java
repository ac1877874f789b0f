package io.karmi.retrofit.rewrite;

import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Visitor that puts code in front of a method's body, which may leave the method or go on. */
abstract class Prologue extends MethodVisitor {
  private final boolean hasFrames;

  /**
   * @param version of the class file
   */
  Prologue(MethodVisitor next, int version) {
    super(Opcodes.ASM9, next);
    hasFrames = version >= Opcodes.V1_6;
  }

  /** Adds the code, which falls through or jumps to {@code body}; it leaves nothing there. */
  abstract void begin(Label body);

  @Override
  public final void visitCode() {
    super.visitCode();
    Label body = new Label();
    begin(body);
    super.visitLabel(body);
    frame(Opcodes.F_SAME);
    super.visitInsn(Opcodes.NOP); // the old body may begin with a frame of its own
  }

  final void call(int opcode, String owner, String name, String descriptor) {
    super.visitMethodInsn(opcode, owner, name, descriptor, false);
  }

  final void frame(int type, Object... stack) {
    if (hasFrames) {
      super.visitFrame(type, 0, null, stack.length, stack);
    }
  }
}
