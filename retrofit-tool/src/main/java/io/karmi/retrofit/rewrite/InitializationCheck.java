package io.karmi.retrofit.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Begins a class's static initializer with {@code checker.check(value)}, and lowers its class file
 * version so that older JVMs get so far.
 */
final class InitializationCheck extends ClassVisitor {
  private static final String INITIALIZER = "<clinit>";

  private final String checker;
  private final String value;
  private boolean hasInitializer;

  InitializationCheck(ClassVisitor next, Class<?> checker, String value) {
    super(Opcodes.ASM9, next);
    this.checker = Type.getInternalName(checker);
    this.value = value;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      String signature,
      String superName,
      String[] interfaces) {
    super.visit(Math.min(version, Opcodes.V17), access, name, signature, superName, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    if (!name.equals(INITIALIZER)) {
      return next;
    }
    hasInitializer = true;
    return new MethodVisitor(Opcodes.ASM9, next) {
      @Override
      public void visitCode() {
        super.visitCode();
        check(mv);
      }
    };
  }

  @Override
  public void visitEnd() {
    if (!hasInitializer) {
      MethodVisitor code = super.visitMethod(Opcodes.ACC_STATIC, INITIALIZER, "()V", null, null);
      code.visitCode();
      check(code);
      code.visitInsn(Opcodes.RETURN);
      code.visitMaxs(0, 0);
      code.visitEnd();
    }
    super.visitEnd();
  }

  private void check(MethodVisitor code) {
    code.visitLdcInsn(value);
    code.visitMethodInsn(Opcodes.INVOKESTATIC, checker, "check", "(Ljava/lang/String;)V", false);
  }
}
