package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rules.ModuleAccess;
import java.util.List;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Visitor that begins a static initializer with {@code checker.check(value)}, and lowers the class
 * file version so that older JVMs reach it. The initializer also opens packages of its module to
 * the checker's, as only code of the module may.
 */
final class InitializationCheck extends ClassVisitor {
  private static final String INITIALIZER = "<clinit>";

  private final String checker;
  private final String value;
  private final List<ModuleAccess> given;
  private final ChangeLog log;
  private String name;
  private boolean hasInitializer;

  InitializationCheck(
      ClassVisitor next, Class<?> checker, String value, List<ModuleAccess> given, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.given = given;
    this.log = log;
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
    this.name = name;
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
    for (ModuleAccess access : given) {
      give(code, access);
    }
  }

  /** {@code Name.class.getModule().addOpens(package, checker.class.getModule())}. */
  private void give(MethodVisitor code, ModuleAccess access) {
    String method = access.deep() ? "addOpens" : "addExports";
    log.add(method + ' ' + access.packageName() + " for KaRMI alone");
    module(code, name);
    code.visitLdcInsn(access.packageName());
    module(code, checker);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        "java/lang/Module",
        method,
        "(Ljava/lang/String;Ljava/lang/Module;)Ljava/lang/Module;",
        false);
    code.visitInsn(Opcodes.POP);
  }

  private static void module(MethodVisitor code, String type) {
    code.visitLdcInsn(Type.getObjectType(type));
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, "java/lang/Class", "getModule", "()Ljava/lang/Module;", false);
  }
}
