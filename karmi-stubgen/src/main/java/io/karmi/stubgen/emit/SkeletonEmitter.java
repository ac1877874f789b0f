package io.karmi.stubgen.emit;

import static io.karmi.stubgen.emit.RuntimeNames.CALL_INPUT;
import static io.karmi.stubgen.emit.RuntimeNames.CALL_OUTPUT;
import static io.karmi.stubgen.emit.RuntimeNames.FUTURE;
import static io.karmi.stubgen.emit.RuntimeNames.REMOTE;
import static io.karmi.stubgen.emit.RuntimeNames.REMOTE_INTERFACE;
import static io.karmi.stubgen.emit.RuntimeNames.SKELETON;
import static io.karmi.stubgen.emit.RuntimeNames.descriptor;

import io.karmi.stubgen.model.RemoteMethod;
import io.karmi.stubgen.model.RemoteModel;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The callee's dispatcher: a switch over method numbers, and for each method its own small static
 * method, so that the just-in-time compiler sees small pieces however many methods an interface
 * has.
 */
final class SkeletonEmitter {
  private static final String UP_CALL =
      "(" + descriptor(REMOTE) + "I" + descriptor(CALL_INPUT) + descriptor(CALL_OUTPUT) + ")V";
  private static final String PIECE =
      "(" + descriptor(REMOTE) + descriptor(CALL_INPUT) + descriptor(CALL_OUTPUT) + ")V";
  private static final String UNMARSHAL_EXCEPTION = "java/rmi/UnmarshalException";
  private static final int TARGET = 0;
  private static final int INPUT = 1;
  private static final int OUTPUT = 2;

  private final RemoteModel model;
  private final ClassBuilder skeleton;

  SkeletonEmitter(RemoteModel model) {
    this.model = model;
    skeleton = new ClassBuilder(GeneratedNames.skeleton(model).replace('.', '/'), SKELETON);
  }

  ClassFile emit() {
    skeleton.constant(Emitter.FINGERPRINT, model.fingerprint());
    skeleton.forwardingConstructor(REMOTE_INTERFACE);
    emitSwitch();
    List<RemoteMethod> methods = model.methods();
    for (int number = 0; number < methods.size(); number++) {
      emitPiece(number, methods.get(number));
    }
    return skeleton.toClassFile();
  }

  private void emitSwitch() {
    MethodVisitor code =
        skeleton.method(Opcodes.ACC_PUBLIC, "upCall", UP_CALL, "java/lang/Throwable");
    int count = model.methods().size();
    Label unknown = new Label();
    Label[] cases = new Label[count];
    for (int number = 0; number < count; number++) {
      cases[number] = new Label();
    }
    if (count > 0) {
      code.visitVarInsn(Opcodes.ILOAD, 2);
      code.visitTableSwitchInsn(0, count - 1, unknown, cases);
    }
    for (int number = 0; number < count; number++) {
      code.visitLabel(cases[number]);
      code.visitVarInsn(Opcodes.ALOAD, 1);
      code.visitVarInsn(Opcodes.ALOAD, 3);
      code.visitVarInsn(Opcodes.ALOAD, 4);
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC, skeleton.internalName, pieceName(number), PIECE, false);
      code.visitInsn(Opcodes.RETURN);
    }
    code.visitLabel(unknown);
    code.visitTypeInsn(Opcodes.NEW, UNMARSHAL_EXCEPTION);
    code.visitInsn(Opcodes.DUP);
    code.visitLdcInsn("invalid method number");
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL, UNMARSHAL_EXCEPTION, "<init>", "(Ljava/lang/String;)V", false);
    code.visitInsn(Opcodes.ATHROW);
    ClassBuilder.end(code);
  }

  private static String pieceName(int number) {
    return "call" + number;
  }

  private void emitPiece(int number, RemoteMethod method) {
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;
    MethodVisitor code = skeleton.method(access, pieceName(number), PIECE, "java/lang/Throwable");
    Type[] parameters = Type.getArgumentTypes(method.descriptor());
    int slot = emitUnmarshal(code, parameters);
    emitInvoke(code, method, parameters);
    Type result = Type.getReturnType(method.descriptor());
    if (result.getDescriptor().equals(descriptor(FUTURE))) {
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          SKELETON,
          "outcome",
          "(" + descriptor(FUTURE) + ")Ljava/lang/Object;",
          false);
    }
    if (result.getSort() != Type.VOID) {
      code.visitVarInsn(result.getOpcode(Opcodes.ISTORE), slot);
    }
    emitResult(code, Kind.of(result), slot);
    code.visitInsn(Opcodes.RETURN);
    ClassBuilder.end(code);
  }

  /** Reads all arguments into local variables, and returns the next free one. */
  private static int emitUnmarshal(MethodVisitor code, Type[] parameters) {
    int slot = OUTPUT + 1;
    for (Type parameter : parameters) {
      Kind kind = Kind.of(parameter);
      code.visitVarInsn(Opcodes.ALOAD, INPUT);
      if (Emitter.isExact(parameter)) {
        code.visitLdcInsn(parameter);
        code.visitMethodInsn(
            Opcodes.INVOKEVIRTUAL,
            CALL_INPUT,
            "readExactly",
            "(Ljava/lang/Class;)Ljava/lang/Object;",
            false);
      } else {
        code.visitMethodInsn(
            Opcodes.INVOKEVIRTUAL, CALL_INPUT, kind.reader(), "()" + kind.descriptor, false);
      }
      Emitter.cast(code, parameter);
      code.visitVarInsn(parameter.getOpcode(Opcodes.ISTORE), slot);
      slot += parameter.getSize();
    }
    return slot;
  }

  private static void emitInvoke(MethodVisitor code, RemoteMethod method, Type[] parameters) {
    String owner = method.owner().replace('.', '/');
    code.visitVarInsn(Opcodes.ALOAD, INPUT);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CALL_INPUT, "endArguments", "()V", false);
    code.visitVarInsn(Opcodes.ALOAD, TARGET);
    code.visitTypeInsn(Opcodes.CHECKCAST, owner);
    int slot = OUTPUT + 1;
    for (Type parameter : parameters) {
      code.visitVarInsn(parameter.getOpcode(Opcodes.ILOAD), slot);
      slot += parameter.getSize();
    }
    code.visitMethodInsn(Opcodes.INVOKEINTERFACE, owner, method.name(), method.descriptor(), true);
  }

  private static void emitResult(MethodVisitor code, Kind kind, int slot) {
    code.visitVarInsn(Opcodes.ALOAD, OUTPUT);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, CALL_OUTPUT, "beginResult", "()V", false);
    if (kind == Kind.VOID) {
      return;
    }
    code.visitVarInsn(Opcodes.ALOAD, OUTPUT);
    code.visitVarInsn(kind.type().getOpcode(Opcodes.ILOAD), slot);
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, CALL_OUTPUT, kind.writer(), kind.writerDescriptor(), false);
  }
}
