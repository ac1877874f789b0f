package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rules.EntryPoint;
import java.util.List;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Visitor that puts {@code if (guard(arguments)) return action(arguments)}, or the replacement of
 * an argument, in front of methods. Only bodies change, so that loaded classes can be
 * retransformed.
 */
final class EntryPoints extends ClassVisitor {
  private final List<EntryPoint> entryPoints;
  private final ChangeLog log;

  /**
   * @param entryPoints those of the class
   */
  EntryPoints(ClassVisitor next, List<EntryPoint> entryPoints, ChangeLog log) {
    super(Opcodes.ASM9, next);
    this.entryPoints = entryPoints;
    this.log = log;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    for (EntryPoint point : entryPoints) {
      if (point.is(name, descriptor)) {
        log.add(name + descriptor + " asks KaRMI first");
        return new Question(next, point, (access & Opcodes.ACC_STATIC) != 0);
      }
    }
    return next;
  }

  private static final class Question extends Prologue {
    private final EntryPoint point;
    private final Type[] arguments;

    Question(MethodVisitor next, EntryPoint point, boolean isStatic) {
      super(next, Opcodes.V17); // a class of the JDK
      this.point = point;
      Type[] declared = Type.getArgumentTypes(point.descriptor());
      if (isStatic) {
        arguments = declared;
      } else {
        arguments = new Type[declared.length + 1];
        arguments[0] = Type.getType(Object.class);
        System.arraycopy(declared, 0, arguments, 1, declared.length);
      }
    }

    @Override
    void begin(Label body) {
      boolean returns = point.replaced() == EntryPoint.RETURNS;
      Type result = returns ? Type.getReturnType(point.descriptor()) : arguments[point.replaced()];
      ask(point.guard(), Type.BOOLEAN_TYPE);
      visitJumpInsn(Opcodes.IFEQ, body);
      ask(point.action(), result);
      if (returns) {
        visitInsn(result.getOpcode(Opcodes.IRETURN));
      } else {
        visitVarInsn(result.getOpcode(Opcodes.ISTORE), local(point.replaced()));
      }
    }

    private int local(int argument) {
      int local = 0;
      for (int i = 0; i < argument; i++) {
        local += arguments[i].getSize();
      }
      return local;
    }

    private void ask(String name, Type returned) {
      for (int i = 0; i < arguments.length; i++) {
        visitVarInsn(arguments[i].getOpcode(Opcodes.ILOAD), local(i));
      }
      String descriptor = Type.getMethodDescriptor(returned, arguments);
      call(Opcodes.INVOKESTATIC, point.facade(), name, descriptor);
    }
  }
}
