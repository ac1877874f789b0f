package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.objectweb.asm.ClassWriter;
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
    HiddenConstants constants = new HiddenConstants(NAME + "$$Of");
    GeneratedClass.begin(writer, Opcodes.ACC_FINAL | Opcodes.ACC_SUPER, constants.owner(), NAME);
    MethodVisitor code = GeneratedClass.method(writer, 0, "make", MAKES);
    constants.push(code, constructor, MethodHandle.class);
    GeneratedClass.invokeExact(code, MAKES);
    code.visitInsn(Opcodes.ARETURN);
    GeneratedClass.finish(code);
    return (ConstructorCall) GeneratedClass.define(MethodHandles.lookup(), writer, constants);
  }
}
