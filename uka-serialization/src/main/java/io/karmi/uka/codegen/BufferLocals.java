package io.karmi.uka.codegen;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Local variables for the buffer of a stream.
 *
 * @param buffer the buffer itself
 * @param array its bytes
 * @param position index of the block
 */
record BufferLocals(int buffer, int array, int position) {
  static final String OUTPUT = Type.getInternalName(OutputBuffer.class);
  static final String INPUT = Type.getInternalName(InputBuffer.class);

  static BufferLocals in(Locals locals) {
    return new BufferLocals(locals.single(), locals.single(), locals.single());
  }

  /** Loads the buffer of a sink, and reserves room for a block. */
  void openOutput(MethodVisitor code, int sink, int bytes) {
    open(code, sink, ClassCode.SINK, OUTPUT, "reserve", bytes);
  }

  /** Loads the buffer of a source, and makes sure that a block has arrived. */
  void openInput(MethodVisitor code, int source, int bytes) {
    open(code, source, ClassCode.SOURCE, INPUT, "require", bytes);
  }

  private void open(
      MethodVisitor code, int stream, String owner, String type, String ensure, int bytes) {
    code.visitVarInsn(Opcodes.ALOAD, stream);
    code.visitFieldInsn(Opcodes.GETFIELD, owner, "buffer", "L" + type + ";");
    code.visitVarInsn(Opcodes.ASTORE, buffer);
    code.visitVarInsn(Opcodes.ALOAD, buffer);
    Push.number(code, bytes);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, type, ensure, "(I)V", false);
    code.visitVarInsn(Opcodes.ALOAD, buffer);
    code.visitFieldInsn(Opcodes.GETFIELD, type, "bytes", "[B");
    code.visitVarInsn(Opcodes.ASTORE, array);
    code.visitVarInsn(Opcodes.ALOAD, buffer);
    code.visitFieldInsn(Opcodes.GETFIELD, type, "position", "I");
    code.visitVarInsn(Opcodes.ISTORE, position);
  }

  /**
   * Advances the buffer's position by a block.
   *
   * @param type internal name of the buffer's class
   */
  void close(MethodVisitor code, String type, int bytes) {
    code.visitVarInsn(Opcodes.ALOAD, buffer);
    code.visitVarInsn(Opcodes.ILOAD, position);
    Push.number(code, bytes);
    code.visitInsn(Opcodes.IADD);
    code.visitFieldInsn(Opcodes.PUTFIELD, type, "position", "I");
  }
}
