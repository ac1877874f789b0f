package io.karmi.uka.codegen;

import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.platform.GeneratedClass;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Generator of {@link ObjectAccess#writeRun}, {@link ObjectAccess#readRun} and {@link
 * ObjectAccess#readNew}: a loop for each class, into which the JIT inlines the work for one
 * element, as it could not in a loop that all classes share.
 */
final class RunGenerator implements Opcodes {
  private static final String SINK = ClassCode.SINK;
  private static final String SOURCE = ClassCode.SOURCE;
  private static final String ELEMENTS = "[Ljava/lang/Object;";

  /** Name of the method of the class that makes one object and reads its fields. */
  static final String MAKE = "make";

  static final String MAKES = "(L" + SOURCE + ";)Ljava/lang/Object;";

  /** Largest method that HotSpot inlines, in bytes (FreqInlineSize). */
  private static final int INLINED_BYTES = 325;

  private final ClassVisitor writer;
  private final String name;

  /** Generator for the class of this internal name, which has {@code write} and {@link #MAKE}. */
  RunGenerator(ClassVisitor writer, String name) {
    this.writer = writer;
    this.name = name;
  }

  /* Locals: 1 sink, 2 elements, 3 index, 4 class, 5 opening, 7 its length, 8 element, 9 count. */

  /**
   * Adds the method that writes.
   *
   * @param refers whether objects refer to others, so that handles are not given together
   * @param hashes whether the class has content
   */
  void write(boolean refers, boolean hashes) {
    MethodVisitor code =
        method("writeRun", "(L" + SINK + ";" + ELEMENTS + "ILjava/lang/Class;JI)I");
    Label next = new Label();
    Label end = new Label();
    code.visitLabel(next);
    if (!refers) {
      writeAssigned(code);
    }
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
    if (hashes) {
      ContentGenerator.callWithHash(code, name, 1, "isNew", 8);
    } else {
      code.visitVarInsn(ALOAD, 1);
      code.visitVarInsn(ALOAD, 8);
      code.visitMethodInsn(INVOKEVIRTUAL, SINK, "isNew", "(Ljava/lang/Object;)Z", false);
    }
    code.visitJumpInsn(IFEQ, next);
    writeElement(code);
    code.visitJumpInsn(GOTO, next);
    end(code, end, 3);
  }

  private void writeElement(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 8);
    code.visitVarInsn(LLOAD, 5);
    code.visitVarInsn(ILOAD, 7);
    String write = "(L" + SINK + ";Ljava/lang/Object;JI)V";
    code.visitMethodInsn(INVOKEVIRTUAL, name, "write", write, false);
  }

  /** Writes elements that the sink gives handles together. */
  private void writeAssigned(MethodVisitor code) {
    Label taken = new Label();
    Label none = new Label();
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    code.visitVarInsn(ILOAD, 3);
    code.visitVarInsn(ALOAD, 4);
    code.visitMethodInsn(
        INVOKEVIRTUAL, SINK, "assignNew", "(" + ELEMENTS + "ILjava/lang/Class;)I", false);
    code.visitVarInsn(ISTORE, 9);
    code.visitVarInsn(ILOAD, 3);
    code.visitVarInsn(ILOAD, 9);
    code.visitInsn(IADD);
    code.visitVarInsn(ISTORE, 3);
    code.visitLabel(taken);
    code.visitIincInsn(9, -1);
    code.visitVarInsn(ILOAD, 9);
    code.visitJumpInsn(IFLT, none);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 9);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "newlyAssigned", "(I)Ljava/lang/Object;", false);
    code.visitVarInsn(ASTORE, 8);
    writeElement(code);
    code.visitJumpInsn(GOTO, taken);
    code.visitLabel(none);
  }

  /**
   * Adds the methods that read.
   *
   * @param apart whether objects refer to others, so that the JIT must not inline the methods: it
   *     would go on as deep as references go, and take seconds (decision 0023)
   */
  void read(boolean apart) {
    readNew(apart);
    readRun(apart);
  }

  /** Adds {@link ObjectAccess#readNew} only. */
  void readNew(boolean apart) {
    MethodVisitor code = beginNew(apart);
    make(code);
    code.visitInsn(ARETURN);
    GeneratedClass.finish(code);
  }

  /** Begins {@link ObjectAccess#readNew}, to which the caller adds the code. */
  MethodVisitor beginNew(boolean apart) {
    MethodVisitor code = method("readNew", MAKES);
    setApart(code, apart);
    return code;
  }

  /** Makes a method too large to be inlined, by instructions that do nothing. */
  private static void setApart(MethodVisitor code, boolean apart) {
    for (int i = 0; apart && i < INLINED_BYTES; i++) {
      code.visitInsn(NOP);
    }
  }

  private void make(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, 1);
    code.visitMethodInsn(INVOKEVIRTUAL, name, MAKE, MAKES, false);
  }

  /* Locals: 1 source, 2 number, 3 elements, 4 index, 5 owner, 6 element. */

  /** Adds {@link ObjectAccess#readRun} only. */
  void readRun(boolean apart) {
    MethodVisitor code = beginRun();
    setApart(code, apart);
    Label next = new Label();
    code.visitLabel(next);
    readNext(code, next);
  }

  /** Begins {@link ObjectAccess#readRun}, to which the caller adds the code. */
  MethodVisitor beginRun() {
    return method("readRun", "(L" + SOURCE + ";I" + ELEMENTS + "II)I");
  }

  /** Reads one element, goes on at {@code next}, and ends the method where that is not possible. */
  void readNext(MethodVisitor code, Label next) {
    Label end = new Label();
    endAfterLast(code, 3, 4, end);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "takeIfNext", "(I)Z", false);
    code.visitJumpInsn(IFEQ, end);
    make(code);
    code.visitVarInsn(ASTORE, 6);
    code.visitVarInsn(ALOAD, 3);
    code.visitVarInsn(ILOAD, 4);
    code.visitVarInsn(ALOAD, 6);
    code.visitInsn(AASTORE);
    code.visitIincInsn(4, 1);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 5);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "dependOnLast", "(I)V", false);
    code.visitJumpInsn(GOTO, next);
    end(code, end, 4);
  }

  private MethodVisitor method(String method, String descriptor) {
    return GeneratedClass.method(writer, ACC_PUBLIC, method, descriptor);
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
    GeneratedClass.finish(code);
  }
}
