package io.karmi.retrofit.rewrite;

import org.objectweb.asm.ClassReader;
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
  private final int version;
  private final String superName;

  BootDelegation(ClassVisitor next, ClassReader reader, ClassFiles files, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.files = files;
    this.log = log;
    version = ClassVersions.major(reader);
    superName = reader.getSuperName();
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
    return new Delegation(next, version);
  }

  private static final class Delegation extends Prologue {
    Delegation(MethodVisitor next, int version) {
      super(next, version);
    }

    @Override
    void begin(Label body) {
      Label start = new Label();
      Label end = new Label();
      Label absent = new Label();
      visitTryCatchBlock(start, end, absent, "java/lang/ClassNotFoundException");
      visitVarInsn(Opcodes.ALOAD, 1);
      visitLdcInsn("io.karmi.");
      call(Opcodes.INVOKEVIRTUAL, "java/lang/String", "startsWith", "(Ljava/lang/String;)Z");
      visitJumpInsn(Opcodes.IFEQ, body);
      visitLabel(start);
      visitVarInsn(Opcodes.ALOAD, 1);
      visitInsn(Opcodes.ICONST_0);
      visitInsn(Opcodes.ACONST_NULL);
      call(
          Opcodes.INVOKESTATIC,
          "java/lang/Class",
          "forName",
          "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
      visitInsn(Opcodes.ARETURN);
      visitLabel(end);
      visitLabel(absent);
      frame(Opcodes.F_SAME1, "java/lang/ClassNotFoundException");
      visitInsn(Opcodes.POP);
    }
  }
}
