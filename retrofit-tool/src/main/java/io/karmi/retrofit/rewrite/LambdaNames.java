package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rules.RuleSet;
import io.karmi.retrofit.rules.StaticCall;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Visitor for serialized references to methods and constructors of replaced classes.
 *
 * <p>Such a reference is serialized with the name of the replacement. A method of the capturing
 * class, which the compiler has made, compares that with the name in the source. There the name is
 * translated back, so that references of the original program are known, too.
 */
final class LambdaNames extends ClassVisitor {
  static final String METHOD = "$deserializeLambda$";
  private static final String SERIALIZED_LAMBDA = "java/lang/invoke/SerializedLambda";

  private final Map<String, String> replacements = new TreeMap<>();
  private final ChangeLog log;

  LambdaNames(ClassVisitor next, RuleSet rules, ChangeLog log) {
    super(Opcodes.ASM9, next);
    replacements.putAll(rules.creations());
    replacements.putAll(rules.twins());
    for (StaticCall call : rules.staticCalls()) {
      replacements.put(call.owner(), call.twin());
    }
    this.log = log;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return name.startsWith(METHOD) // later compilers make several, with a suffix each
        ? new MethodBody(access, name, descriptor, signature, exceptions, next) {
          @Override
          void change() {
            translate(instructions);
          }
        }
        : next;
  }

  private void translate(InsnList instructions) {
    for (Map.Entry<String, String> each : replacements.entrySet()) {
      if (compares(instructions, each.getKey())) {
        translate(instructions, each.getValue(), each.getKey());
      }
    }
  }

  private static boolean compares(InsnList instructions, String className) {
    for (AbstractInsnNode each : instructions) {
      if (each instanceof LdcInsnNode && className.equals(((LdcInsnNode) each).cst)) {
        return true;
      }
    }
    return false;
  }

  private void translate(InsnList instructions, String replacement, String original) {
    for (AbstractInsnNode each : instructions.toArray()) {
      if (each instanceof MethodInsnNode && isImplClass((MethodInsnNode) each)) {
        InsnList translation = new InsnList();
        translation.add(new LdcInsnNode(replacement));
        translation.add(new LdcInsnNode(original));
        translation.add(
            new MethodInsnNode(
                Opcodes.INVOKEVIRTUAL,
                "java/lang/String",
                "replace",
                "(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Ljava/lang/String;"));
        instructions.insert(each, translation);
      }
    }
    log.replaced("serialized reference to ".concat(original), replacement);
  }

  private static boolean isImplClass(MethodInsnNode call) {
    return call.owner.equals(SERIALIZED_LAMBDA) && call.name.equals("getImplClass");
  }
}
