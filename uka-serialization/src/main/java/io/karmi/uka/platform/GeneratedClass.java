package io.karmi.uka.platform;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What all classes that are generated at run time have in common. */
public final class GeneratedClass {
  /** Bootstrap of a constant that is an element of the class data. */
  public static final Handle CLASS_DATA_AT =
      new Handle(
          Opcodes.H_INVOKESTATIC,
          "java/lang/invoke/MethodHandles",
          "classDataAt",
          "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;I)Ljava/lang/Object;",
          false);

  private GeneratedClass() {}

  /** A writer that computes frames without loading a class. */
  public static ClassWriter newWriter() {
    return new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
      @Override
      protected String getCommonSuperClass(String one, String other) {
        return "java/lang/Object";
      }
    };
  }

  /** Adds a return instruction, and ends the method. */
  public static void end(MethodVisitor code) {
    code.visitInsn(Opcodes.RETURN);
    finish(code);
  }

  /** Ends a method; its stack and locals are counted. */
  public static void finish(MethodVisitor code) {
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
