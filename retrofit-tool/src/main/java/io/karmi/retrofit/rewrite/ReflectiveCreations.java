package io.karmi.retrofit.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Visitor that replaces the class constants whose constructors reflection asks for.
 *
 * <p>{@code ObjectInputStream.class.getConstructor(..)} becomes the same call on the replacement.
 * Only the receiver changes, not a constant that is also compared or stored. Classes from
 * parameters and fields are not followed.
 *
 * <p>Groovy compiles {@code new} to a call of its runtime with a class constant, unless it compiles
 * statically. The streams that this runtime creates itself are replaced, too, and a program may
 * write with one kind and read with the other.
 */
final class ReflectiveCreations extends ClassVisitor {
  private static final String CLASS = "java/lang/Class";
  private static final String METHOD_TYPE = "java/lang/invoke/MethodType";
  private static final String METHOD_HANDLE = "java/lang/invoke/MethodHandle";
  private static final String FIND_CONSTRUCTOR = "findConstructor";

  /**
   * Greatest stack depth, in slots, at which a class is replaced: constructors of streams have one
   * parameter.
   */
  private static final int DEEPEST = 1;

  /** Classes of Groovy's runtime that a compiled {@code new} calls, or is linked by. */
  static final Set<String> GROOVY =
      Set.of(
          "org/codehaus/groovy/runtime/callsite/CallSite",
          "org/codehaus/groovy/vmplugin/v7/IndyInterface",
          "org/codehaus/groovy/vmplugin/v8/IndyInterface");

  private final Map<String, String> replacements;
  private final ChangeLog log;
  private final String owner;
  private final boolean hasClassConstants;

  ReflectiveCreations(
      ClassVisitor next, ClassReader reader, Map<String, String> replacements, ChangeLog log) {
    super(Opcodes.ASM9, next);
    owner = reader.getClassName();
    hasClassConstants = ClassVersions.major(reader) >= Opcodes.V1_5;
    this.replacements = replacements;
    this.log = log;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return next == null || !hasClassConstants
        ? next
        : new MethodBody(access, name, descriptor, signature, exceptions, next) {
          @Override
          void change() {
            if (asksForConstructors(instructions)) {
              redirect(this);
            }
          }
        };
  }

  private static boolean asksForConstructors(InsnList instructions) {
    for (AbstractInsnNode instruction : instructions) {
      if (classDepth(instruction) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** The stack depth of the class whose constructor is asked for; -1 if this is no such call. */
  private static int classDepth(AbstractInsnNode instruction) {
    if (instruction instanceof InvokeDynamicInsnNode) {
      InvokeDynamicInsnNode call = (InvokeDynamicInsnNode) instruction;
      return GROOVY.contains(call.bsm.getOwner()) && call.name.equals("init")
          ? Type.getArgumentCount(call.desc) - 1
          : -1;
    }
    if (!(instruction instanceof MethodInsnNode)) {
      return -1;
    }
    MethodInsnNode call = (MethodInsnNode) instruction;
    if (call.owner.equals(CLASS) && Transformer.CONSTRUCTING.contains(call.name)) {
      return Type.getArgumentCount(call.desc);
    }
    if (GROOVY.contains(call.owner) && call.name.equals("callConstructor")) {
      return Type.getArgumentCount(call.desc) - 1;
    }
    return call.owner.equals("java/lang/invoke/MethodHandles$Lookup")
            && call.name.equals(FIND_CONSTRUCTOR)
        ? 1
        : -1;
  }

  /**
   * Finds all calls first and changes them afterwards: what was found out about the data flow holds
   * for the instructions as they were.
   */
  private void redirect(MethodNode method) {
    ClassConstants constants = ClassConstants.in(owner, method);
    if (constants == null) {
      log.leave("its method " + method.name + method.desc + " cannot be analyzed");
      return;
    }
    List<Found> all = new ArrayList<>();
    for (AbstractInsnNode instruction : method.instructions) {
      int depth = classDepth(instruction);
      String asked = depth >= 0 && depth <= DEEPEST ? constants.at(instruction, depth) : null;
      String replacement = asked == null ? null : replacements.get(asked);
      if (asked != null && replacement != null) {
        all.add(new Found(instruction, depth, asked, replacement));
      }
    }
    for (Found each : all) {
      redirect(method.instructions, each);
    }
  }

  private void redirect(InsnList instructions, Found found) {
    String name = nameOf(found.call());
    log.replaced(found.asked() + "." + name, found.replacement());
    instructions.insertBefore(found.call(), receiver(found.depth(), found.replacement()));
    if (name.equals(FIND_CONSTRUCTOR)) {
      instructions.insert(found.call(), returning(found.asked()));
    }
  }

  /**
   * A call that asks for a constructor.
   *
   * @param depth of the class on the stack
   * @param asked internal name of the class
   * @param replacement and of the one in its place
   */
  private record Found(AbstractInsnNode call, int depth, String asked, String replacement) {}

  private static String nameOf(AbstractInsnNode call) {
    return call instanceof InvokeDynamicInsnNode
        ? ((InvokeDynamicInsnNode) call).name
        : ((MethodInsnNode) call).name;
  }

  /** Replaces the class at this depth of the stack, at most {@link #DEEPEST}. */
  private static InsnList receiver(int depth, String replacement) {
    InsnList code = new InsnList();
    if (depth == 1) {
      code.add(new InsnNode(Opcodes.SWAP));
    }
    code.add(new InsnNode(Opcodes.POP));
    code.add(new LdcInsnNode(Type.getObjectType(replacement)));
    if (depth == 1) {
      code.add(new InsnNode(Opcodes.SWAP));
    }
    return code;
  }

  /**
   * Gives the method handle on the stack the return type that {@code invokeExact} was compiled for.
   */
  private static InsnList returning(String type) {
    InsnList code = new InsnList();
    code.add(new InsnNode(Opcodes.DUP));
    code.add(call(METHOD_HANDLE, "type", "()L" + METHOD_TYPE + ";"));
    code.add(new LdcInsnNode(Type.getObjectType(type)));
    code.add(call(METHOD_TYPE, "changeReturnType", "(L" + CLASS + ";)L" + METHOD_TYPE + ";"));
    code.add(call(METHOD_HANDLE, "asType", "(L" + METHOD_TYPE + ";)L" + METHOD_HANDLE + ";"));
    return code;
  }

  private static MethodInsnNode call(String owner, String name, String descriptor) {
    return new MethodInsnNode(Opcodes.INVOKEVIRTUAL, owner, name, descriptor, false);
  }
}
