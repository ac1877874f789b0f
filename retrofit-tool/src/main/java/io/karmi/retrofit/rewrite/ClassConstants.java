package io.karmi.retrofit.rewrite;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/** Data flow of class constants to instructions of a method, through local variables and casts. */
final class ClassConstants {
  private final MethodNode method;
  private final Frame<SourceValue>[] frames;

  private ClassConstants(MethodNode method, Frame<SourceValue>[] frames) {
    this.method = method;
    this.frames = frames;
  }

  /**
   * Analyzes a method.
   *
   * @return null if its code cannot be analyzed
   */
  static @Nullable ClassConstants in(String owner, MethodNode method) {
    try {
      return new ClassConstants(
          method, new Analyzer<>(new Sources()).analyzeAndComputeMaxs(owner, method));
    } catch (AnalyzerException e) {
      return null;
    }
  }

  /**
   * The only class whose constant can be at this depth of the stack before an instruction.
   *
   * @return its internal name, or null if that is not certain
   */
  @Nullable String at(AbstractInsnNode instruction, int depth) {
    Frame<SourceValue> frame = frames[method.instructions.indexOf(instruction)];
    return frame == null ? null : classOf(frame.getStack(frame.getStackSize() - 1 - depth));
  }

  private @Nullable String classOf(SourceValue value) {
    String found = null;
    for (AbstractInsnNode source : value.insns) {
      String name = classOf(source);
      if (name == null || found != null && !found.equals(name)) {
        return null;
      }
      found = name;
    }
    return found;
  }

  private @Nullable String classOf(AbstractInsnNode source) {
    if (source instanceof LdcInsnNode) {
      Object constant = ((LdcInsnNode) source).cst;
      return constant instanceof Type && ((Type) constant).getSort() == Type.OBJECT
          ? ((Type) constant).getInternalName()
          : null;
    }
    if (source instanceof MethodInsnNode) {
      MethodInsnNode call = (MethodInsnNode) source;
      boolean byName = call.owner.equals("java/lang/Class") && call.name.equals("forName");
      return byName ? named(call) : null;
    }
    return null;
  }

  private @Nullable String named(MethodInsnNode forName) {
    Frame<SourceValue> frame = frames[method.instructions.indexOf(forName)];
    if (frame == null) {
      return null;
    }
    int arguments = Type.getArgumentCount(forName.desc);
    SourceValue name = frame.getStack(frame.getStackSize() - arguments);
    if (name.insns.size() != 1) {
      return null;
    }
    AbstractInsnNode source = name.insns.iterator().next();
    Object constant = source instanceof LdcInsnNode ? ((LdcInsnNode) source).cst : null;
    return constant instanceof String ? ((String) constant).replace('.', '/') : null;
  }

  /** Interpreter in which a value keeps its source when it is copied or cast. */
  private static final class Sources extends SourceInterpreter {
    Sources() {
      super(Opcodes.ASM9);
    }

    @Override
    public SourceValue copyOperation(AbstractInsnNode instruction, SourceValue value) {
      return value;
    }

    @Override
    public SourceValue unaryOperation(AbstractInsnNode instruction, SourceValue value) {
      return instruction.getOpcode() == Opcodes.CHECKCAST
          ? value
          : super.unaryOperation(instruction, value);
    }
  }
}
