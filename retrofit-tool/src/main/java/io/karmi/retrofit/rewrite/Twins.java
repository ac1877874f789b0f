package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rules.RuleSet;
import io.karmi.retrofit.rules.StaticCall;
import java.util.Map;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.MethodRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Visitor that names KaRMI's twins instead of java.rmi's classes, and redirects static calls to
 * KaRMI. Types change in signatures, too, so that all classes that share such a type must be
 * rewritten.
 */
final class Twins extends ClassRemapper {
  private final RuleSet rules;
  private final ChangeLog log;

  Twins(ClassVisitor next, RuleSet rules, ChangeLog log) {
    super(Opcodes.ASM9, next, new ToTwins(rules.twins(), log));
    this.rules = rules;
    this.log = log;
  }

  @Override
  protected MethodVisitor createMethodRemapper(MethodVisitor next) {
    return new StaticCalls(next);
  }

  private static final class ToTwins extends Remapper {
    private final Map<String, String> twins;
    private final ChangeLog log;

    ToTwins(Map<String, String> twins, ChangeLog log) {
      super(Opcodes.ASM9);
      this.twins = twins;
      this.log = log;
    }

    @Override
    public String map(String name) {
      String twin = twins.get(name);
      if (twin == null) {
        return name;
      }
      log.replaced(name, twin);
      return twin;
    }
  }

  private final class StaticCalls extends MethodRemapper {
    StaticCalls(MethodVisitor next) {
      super(Opcodes.ASM9, next, Twins.this.remapper);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      String called = opcode == Opcodes.INVOKESTATIC ? led(owner, name, descriptor) : owner;
      super.visitMethodInsn(opcode, called, name, descriptor, isInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      Object[] led = arguments.clone();
      for (int i = 0; i < led.length; i++) {
        if (led[i] instanceof Handle && ((Handle) led[i]).getTag() == Opcodes.H_INVOKESTATIC) {
          Handle handle = (Handle) led[i];
          String owner = led(handle.getOwner(), handle.getName(), handle.getDesc());
          led[i] =
              new Handle(
                  handle.getTag(), owner, handle.getName(), handle.getDesc(), handle.isInterface());
        }
      }
      super.visitInvokeDynamicInsn(name, descriptor, bootstrap, led);
    }
  }

  private String led(String owner, String name, String descriptor) {
    for (StaticCall call : rules.staticCalls()) {
      if (call.owner().equals(owner)
          && call.name().equals(name)
          && call.descriptor().equals(descriptor)) {
        log.replaced(owner + "." + name, call.twin());
        return call.twin();
      }
    }
    return owner;
  }
}
