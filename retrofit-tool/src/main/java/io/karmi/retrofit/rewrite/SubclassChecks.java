package io.karmi.retrofit.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Visitor for the constructor without arguments of java.io's object streams, which asks {@code
 * io.karmi.uka.SubclassPermission} for the security manager instead of the JVM.
 */
final class SubclassChecks extends ClassVisitor {
  private final ChangeLog log;

  SubclassChecks(ClassVisitor next, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.log = log;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return name.equals("<init>") && descriptor.equals("()V") ? new Check(next) : next;
  }

  private final class Check extends MethodVisitor {
    Check(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (name.equals("getSecurityManager")) {
        log.add("its constructor lets UKA's streams be created without a permission");
        super.visitVarInsn(Opcodes.ALOAD, 0);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            "io/karmi/uka/SubclassPermission",
            "managerFor",
            "(Ljava/lang/Object;)Ljava/lang/SecurityManager;",
            false);
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }
  }
}
