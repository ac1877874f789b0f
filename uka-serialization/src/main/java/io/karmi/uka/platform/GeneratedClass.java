package io.karmi.uka.platform;

import java.lang.invoke.MethodHandles;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Common parts of classes that are generated at run time. */
public final class GeneratedClass {
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

  /** Begins a method. */
  public static MethodVisitor method(
      ClassVisitor writer, int access, String name, String descriptor) {
    MethodVisitor code = writer.visitMethod(access, name, descriptor, null, null);
    code.visitCode();
    return code;
  }

  /** Begins a class of Java 17 with a constructor without parameters. */
  public static void begin(ClassVisitor writer, int access, String name, String superName) {
    writer.visit(Opcodes.V17, access, name, null, superName, null);
    MethodVisitor code = method(writer, access & Opcodes.ACC_PUBLIC, "<init>", "()V");
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, superName, "<init>", "()V", false);
    end(code);
  }

  /** Calls the method handle below its arguments on the stack. */
  public static void invokeExact(MethodVisitor code, String descriptor) {
    String handle = "java/lang/invoke/MethodHandle";
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, handle, "invokeExact", descriptor, false);
  }

  /** Ends and defines a hidden class in the package of {@code host}, and makes an instance. */
  public static Object define(
      MethodHandles.Lookup host, ClassWriter writer, HiddenConstants constants) {
    constants.finish(writer);
    writer.visitEnd();
    try {
      return constants.define(host, writer.toByteArray());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("generated code cannot be instantiated", e);
    }
  }

  /** Adds a return instruction, and ends the method. */
  public static void end(MethodVisitor code) {
    code.visitInsn(Opcodes.RETURN);
    finish(code);
  }

  /** Ends a method; stack and locals are computed. */
  public static void finish(MethodVisitor code) {
    code.visitMaxs(0, 0);
    code.visitEnd();
  }
}
