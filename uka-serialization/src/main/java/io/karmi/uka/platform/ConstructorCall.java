package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Call of the constructor of one class by generated code, in which it is a constant, so that the
 * JIT can inline it. A method handle in a field takes two calls that the JIT cannot inline.
 */
abstract class ConstructorCall {
  private static final String NAME = Type.getInternalName(ConstructorCall.class);
  private static final String MAKES = "()Ljava/lang/Object;";

  /** For hidden classes. */
  ConstructorCall() {}

  /** A new instance. */
  abstract Object make() throws Throwable;

  /**
   * Generates the call.
   *
   * @param constructor of type {@code ()Object}
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
