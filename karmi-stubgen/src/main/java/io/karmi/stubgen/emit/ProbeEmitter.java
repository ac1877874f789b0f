package io.karmi.stubgen.emit;

import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Emitter of a class that can be initialized only where its loader finds another one for it. */
final class ProbeEmitter {
  private ProbeEmitter() {}

  static ClassFile emit(String name, String type) {
    ClassBuilder builder = new ClassBuilder(name.replace('.', '/'), "java/lang/Object");
    MethodVisitor initializer = builder.method(Opcodes.ACC_STATIC, "<clinit>", "()V");
    initializer.visitLdcInsn(Type.getObjectType(type.replace('.', '/')));
    initializer.visitInsn(Opcodes.POP);
    initializer.visitInsn(Opcodes.RETURN);
    ClassBuilder.end(initializer);
    return builder.toClassFile();
  }
}
