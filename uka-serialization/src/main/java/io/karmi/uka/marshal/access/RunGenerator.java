package io.karmi.uka.marshal.access;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates {@link ObjectAccess#writeRun} and {@link ObjectAccess#readRun}: a loop of its own for
 * each class, into which the JIT can put all that is done for one element. In a loop that all
 * classes share it could not even foresee the call.
 */
final class RunGenerator implements Opcodes {
  private static final String SINK = Type.getInternalName(FieldSink.class);
  private static final String SOURCE = Type.getInternalName(FieldSource.class);
  private static final String ELEMENTS = "[Ljava/lang/Object;";

  private final ClassVisitor writer;
  private final String name;

  /**
   * Adds the methods to the class of this internal name, which has {@code write} and {@code
   * readNew}.
   */
  RunGenerator(ClassVisitor writer, String name) {
    this.writer = writer;
    this.name = name;
  }

  /* Locals: 1 sink, 2 elements, 3 index, 4 class, 5 opening, 7 its length, 8 element. */

  void write() {
    MethodVisitor code =
        method("writeRun", "(L" + SINK + ";" + ELEMENTS + "ILjava/lang/Class;JI)I");
    Label next = new Label();
    Label end = new Label();
    code.visitLabel(next);
    endAfterLast(code, 2, 3, end);
    code.visitVarInsn(ALOAD, 2);
    code.visitVarInsn(ILOAD, 3);
    code.visitInsn(AALOAD);
    code.visitVarInsn(ASTORE, 8);
    code.visitVarInsn(ALOAD, 8);
    code.visitJumpInsn(IFNULL, end);
    code.visitVarInsn(ALOAD, 8);
    code.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/Object", "getClass", "()Ljava/lang/Class;", false);
    code.visitVarInsn(ALOAD, 4);
    code.visitJumpInsn(IF_ACMPNE, end);
    code.visitVarInsn(ALOAD, 1);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "isWatched", "()Z", false);
    code.visitJumpInsn(IFNE, end);
    code.visitIincInsn(3, 1);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 8);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "isNew", "(Ljava/lang/Object;)Z", false);
    code.visitJumpInsn(IFEQ, next);
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 8);
    code.visitVarInsn(LLOAD, 5);
    code.visitVarInsn(ILOAD, 7);
    String write = "(L" + SINK + ";Ljava/lang/Object;JI)V";
    code.visitMethodInsn(INVOKEVIRTUAL, name, "write", write, false);
    code.visitJumpInsn(GOTO, next);
    end(code, end, 3);
  }

  /* Locals: 1 source, 2 number, 3 elements, 4 index, 5 owner, 6 element. */

  void read() {
    MethodVisitor code = method("readRun", "(L" + SOURCE + ";I" + ELEMENTS + "II)I");
    Label next = new Label();
    Label end = new Label();
    code.visitLabel(next);
    endAfterLast(code, 3, 4, end);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "takesNext", "(I)Z", false);
    code.visitJumpInsn(IFEQ, end);
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, 1);
    String readNew = "(L" + SOURCE + ";)Ljava/lang/Object;";
    code.visitMethodInsn(INVOKEVIRTUAL, name, "readNew", readNew, false);
    code.visitVarInsn(ASTORE, 6);
    code.visitVarInsn(ALOAD, 3);
    code.visitVarInsn(ILOAD, 4);
    code.visitVarInsn(ALOAD, 6);
    code.visitInsn(AASTORE);
    code.visitIincInsn(4, 1);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 5);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "own", "(I)V", false);
    code.visitJumpInsn(GOTO, next);
    end(code, end, 4);
  }

  private MethodVisitor method(String method, String descriptor) {
    MethodVisitor code = writer.visitMethod(ACC_PUBLIC, method, descriptor, null, null);
    code.visitCode();
    return code;
  }

  private static void endAfterLast(MethodVisitor code, int elements, int index, Label end) {
    code.visitVarInsn(ILOAD, index);
    code.visitVarInsn(ALOAD, elements);
    code.visitInsn(ARRAYLENGTH);
    code.visitJumpInsn(IF_ICMPGE, end);
  }

  private static void end(MethodVisitor code, Label end, int index) {
    code.visitLabel(end);
    code.visitVarInsn(ILOAD, index);
    code.visitInsn(IRETURN);
    AccessGenerator.finish(code);
  }
}
