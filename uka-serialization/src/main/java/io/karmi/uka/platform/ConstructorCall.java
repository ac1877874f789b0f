package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
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
    ClassWriter writer = GeneratedClass.newWriter();
    GeneratedClass.begin(writer, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, NAME + "$$Of", NAME);
    MethodVisitor code = GeneratedClass.method(writer, 0, "make", MAKES);
    String handle = MethodHandle.class.descriptorString();
    code.visitLdcInsn(new ConstantDynamic("_", handle, GeneratedClass.CLASS_DATA_AT, 0));
    GeneratedClass.invokeExact(code, MAKES);
    code.visitInsn(Opcodes.ARETURN);
    GeneratedClass.finish(code);
    writer.visitEnd();
    return (ConstructorCall) GeneratedClass.define(MethodHandles.lookup(), writer, constructor);
  }
}
