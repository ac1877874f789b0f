package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Calls the constructor of one class, which is a constant in the code generated for it: so the JIT
 * can put the constructor into those that call this, where a method handle in a field takes two
 * calls that it cannot foresee.
 */
abstract class ConstructorCall {
  private static final String NAME = Type.getInternalName(ConstructorCall.class);
  private static final String MAKES = "()Ljava/lang/Object;";

  /** For hidden classes. */
  ConstructorCall() {}

  /** A new instance; throws what the constructor throws. */
  abstract Object make() throws Throwable;

  /**
   * Generates one.
   *
   * @param constructor takes nothing, and is said to return an Object
   */
  static ConstructorCall of(MethodHandle constructor) {
    byte[] bytecode = generate();
    try {
      return (ConstructorCall)
          MethodHandles.lookup()
              .defineHiddenClassWithClassData(bytecode, List.of(constructor), false)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("generated code cannot be instantiated", e);
    }
  }

  private static byte[] generate() {
    ClassWriter writer = GeneratedClass.newWriter();
    int access = Opcodes.ACC_FINAL | Opcodes.ACC_SUPER;
    writer.visit(Opcodes.V17, access, NAME + "$$Of", null, NAME, null);
    MethodVisitor code = writer.visitMethod(0, "<init>", "()V", null, null);
    code.visitCode();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, NAME, "<init>", "()V", false);
    GeneratedClass.end(code);
    code = writer.visitMethod(0, "make", MAKES, null, null);
    code.visitCode();
    String handle = MethodHandle.class.descriptorString();
    code.visitLdcInsn(new ConstantDynamic("_", handle, GeneratedClass.CLASS_DATA_AT, 0));
    String owner = Type.getInternalName(MethodHandle.class);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, "invokeExact", MAKES, false);
    code.visitInsn(Opcodes.ARETURN);
    GeneratedClass.finish(code);
    writer.visitEnd();
    return writer.toByteArray();
  }
}
