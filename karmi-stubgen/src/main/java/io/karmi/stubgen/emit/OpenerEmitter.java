package io.karmi.stubgen.emit;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Emitter of a {@code Consumer} that makes members accessible: which packages are open to it
 * depends on the module that it is defined in.
 */
final class OpenerEmitter {
  private OpenerEmitter() {}

  static ClassFile emit(String name) {
    ClassBuilder builder =
        new ClassBuilder(name.replace('.', '/'), "java/lang/Object", "java/util/function/Consumer");
    MethodVisitor constructor = builder.method(Opcodes.ACC_PUBLIC, "<init>", "()V");
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    constructor.visitInsn(Opcodes.RETURN);
    ClassBuilder.end(constructor);
    MethodVisitor accept = builder.method(Opcodes.ACC_PUBLIC, "accept", "(Ljava/lang/Object;)V");
    accept.visitVarInsn(Opcodes.ALOAD, 1);
    accept.visitTypeInsn(Opcodes.CHECKCAST, "java/lang/reflect/AccessibleObject");
    accept.visitInsn(Opcodes.ICONST_1);
    accept.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        "java/lang/reflect/AccessibleObject",
        "setAccessible",
        "(Z)V",
        false);
    accept.visitInsn(Opcodes.RETURN);
    ClassBuilder.end(accept);
    return builder.toClassFile();
  }
}
