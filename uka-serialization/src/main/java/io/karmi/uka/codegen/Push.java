package io.karmi.uka.codegen;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Emitter of constant numbers by the shortest instruction. */
final class Push {
  private static final int LARGEST_CONSTANT = 5;

  private Push() {}

  static void number(MethodVisitor code, int value) {
    if (value >= -1 && value <= LARGEST_CONSTANT) {
      code.visitInsn(Opcodes.ICONST_0 + value);
    } else if (value == (byte) value) {
      code.visitIntInsn(Opcodes.BIPUSH, value);
    } else if (value == (short) value) {
      code.visitIntInsn(Opcodes.SIPUSH, value);
    } else {
      code.visitLdcInsn(value);
    }
  }

  static void number(MethodVisitor code, long value) {
    if (value == 0 || value == 1) {
      code.visitInsn(value == 0 ? Opcodes.LCONST_0 : Opcodes.LCONST_1);
    } else {
      code.visitLdcInsn(value);
    }
  }
}
