package io.karmi.retrofit.rewrite;

import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Visitor that makes class loaders find KaRMI in the boot loader.
 *
 * <p>Module systems and plug-in containers ask the boot loader for {@code java.*} only, but rewired
 * classes name KaRMI. So {@code loadClass} of every class loader begins with {@code
 * Class.forName(name, false, null)} for KaRMI's names, and goes on if there is no such class.
 */
final class BootDelegation extends ClassVisitor {
  static final String METHOD = "loadClass";
  private static final String BY_NAME = "(Ljava/lang/String;)Ljava/lang/Class;";
  private static final String BY_NAME_RESOLVING = "(Ljava/lang/String;Z)Ljava/lang/Class;";
  private static final String CLASS_LOADER = "java/lang/ClassLoader";

  private final ClassFiles files;
  private final ChangeLog log;
  private int version;
  private String superName;

  BootDelegation(ClassVisitor next, ClassFiles files, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.files = files;
    this.log = log;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      String signature,
      String superName,
      String[] interfaces) {
    this.version = version & 0xffff;
    this.superName = superName;
    super.visit(version, access, name, signature, superName, interfaces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    boolean hasBody = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
    boolean loads = descriptor.equals(BY_NAME) || descriptor.equals(BY_NAME_RESOLVING);
    if (!hasBody || !loads || !name.equals(METHOD) || (access & Opcodes.ACC_STATIC) != 0) {
      return next;
    }
    if (!new Hierarchy(files).descends(superName, CLASS_LOADER)) {
      return next;
    }
    log.add(name + descriptor + " finds KaRMI in the boot loader");
    return new Prologue(next, version);
  }

  private static final class Prologue extends MethodVisitor {
    private final boolean hasFrames;

    Prologue(MethodVisitor next, int version) {
      super(Opcodes.ASM9, next);
      hasFrames = version >= Opcodes.V1_6;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      Label start = new Label();
      Label end = new Label();
      Label absent = new Label();
      Label before = new Label();
      super.visitTryCatchBlock(start, end, absent, "java/lang/ClassNotFoundException");
      super.visitVarInsn(Opcodes.ALOAD, 1);
      super.visitLdcInsn("io.karmi.");
      method(Opcodes.INVOKEVIRTUAL, "java/lang/String", "startsWith", "(Ljava/lang/String;)Z");
      super.visitJumpInsn(Opcodes.IFEQ, before);
      super.visitLabel(start);
      super.visitVarInsn(Opcodes.ALOAD, 1);
      super.visitInsn(Opcodes.ICONST_0);
      super.visitInsn(Opcodes.ACONST_NULL);
      method(
          Opcodes.INVOKESTATIC,
          "java/lang/Class",
          "forName",
          "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
      super.visitInsn(Opcodes.ARETURN);
      super.visitLabel(end);
      super.visitLabel(absent);
      frame(Opcodes.F_SAME1, "java/lang/ClassNotFoundException");
      super.visitInsn(Opcodes.POP);
      super.visitLabel(before);
      frame(Opcodes.F_SAME);
      super.visitInsn(Opcodes.NOP); // the old body may begin with a frame of its own
    }

    private void method(int opcode, String owner, String name, String descriptor) {
      super.visitMethodInsn(opcode, owner, name, descriptor, false);
    }

    private void frame(int type, Object... stack) {
      if (hasFrames) {
        super.visitFrame(type, 0, null, stack.length, stack);
      }
    }
  }
}
