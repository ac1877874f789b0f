package io.karmi.retrofit.rewrite;

import java.util.Map;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.signature.SignatureReader;
import org.objectweb.asm.signature.SignatureWriter;

/**
 * Creates other objects: by {@code new}, by a constructor reference, and by extending another
 * class.
 *
 * <p>The replacement extends what it replaces and has the same constructors. All other mentions of
 * a class, in casts, signatures and frames, stay.
 */
final class Creations extends ClassVisitor {
  private final Map<String, String> replacements;
  private final ChangeLog log;

  /** The superclass before the change. */
  private String superName;

  Creations(ClassVisitor next, Map<String, String> replacements, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.replacements = replacements;
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
    this.superName = superName;
    String replacement = replacements.get(superName);
    if (replacement == null) {
      super.visit(version, access, name, signature, superName, interfaces);
    } else {
      log.replaced("extends " + superName, replacement);
      super.visit(version, access, name, extending(signature), replacement, interfaces);
    }
  }

  /** The generic signature with another superclass; neither of the two has type parameters. */
  private String extending(String signature) {
    if (signature == null) {
      return null;
    }
    SignatureWriter changed =
        new SignatureWriter() {
          private boolean inSuperclass;

          @Override
          public SignatureWriter visitSuperclass() {
            inSuperclass = true;
            super.visitSuperclass();
            return this;
          }

          @Override
          public void visitClassType(String name) {
            super.visitClassType(inSuperclass ? replacements.getOrDefault(name, name) : name);
            inSuperclass = false;
          }
        };
    new SignatureReader(signature).accept(changed);
    return changed.toString();
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return next == null ? null : new Body(next);
  }

  private final class Body extends MethodVisitor {
    Body(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      String replacement = opcode == Opcodes.NEW ? replacements.get(type) : null;
      if (replacement != null) {
        log.replaced("new " + type, replacement);
      }
      super.visitTypeInsn(opcode, replacement == null ? type : replacement);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      String called = opcode == Opcodes.INVOKESPECIAL ? special(owner, name) : owner;
      super.visitMethodInsn(opcode, called, name, descriptor, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, all(arguments));
    }

    @Override
    public void visitLdcInsn(Object value) {
      super.visitLdcInsn(constant(value));
    }
  }

  /** Constructors of what is created here, and methods of the superclass. */
  private String special(String owner, String name) {
    return name.equals("<init>") || owner.equals(superName)
        ? replacements.getOrDefault(owner, owner)
        : owner;
  }

  private Object[] all(Object[] constants) {
    Object[] changed = new Object[constants.length];
    for (int i = 0; i < constants.length; i++) {
      changed[i] = constant(constants[i]);
    }
    return changed;
  }

  private Object constant(Object value) {
    if (value instanceof Handle) {
      return handle((Handle) value);
    }
    if (value instanceof ConstantDynamic) {
      ConstantDynamic dynamic = (ConstantDynamic) value;
      Object[] arguments = new Object[dynamic.getBootstrapMethodArgumentCount()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = constant(dynamic.getBootstrapMethodArgument(i));
      }
      return new ConstantDynamic(
          dynamic.getName(), dynamic.getDescriptor(), dynamic.getBootstrapMethod(), arguments);
    }
    return value;
  }

  private Handle handle(Handle handle) {
    String owner = handle.getOwner();
    boolean creates = handle.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    if (!creates && handle.getTag() != Opcodes.H_INVOKESPECIAL) {
      return handle;
    }
    String replacement = special(owner, handle.getName());
    if (replacement.equals(owner)) {
      return handle;
    }
    if (creates) {
      log.replaced("new " + owner, replacement);
    }
    return new Handle(
        handle.getTag(), replacement, handle.getName(), handle.getDesc(), handle.isInterface());
  }
}
