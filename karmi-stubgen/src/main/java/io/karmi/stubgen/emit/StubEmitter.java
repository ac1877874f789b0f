package io.karmi.stubgen.emit;

import static io.karmi.stubgen.emit.RuntimeNames.ARGUMENTS;
import static io.karmi.stubgen.emit.RuntimeNames.CLIENT_REF;
import static io.karmi.stubgen.emit.RuntimeNames.FUTURE;
import static io.karmi.stubgen.emit.RuntimeNames.STUB;
import static io.karmi.stubgen.emit.RuntimeNames.descriptor;

import io.karmi.stubgen.model.RemoteMethod;
import io.karmi.stubgen.model.RemoteModel;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The caller's proxy: each remote method is one call of the reference (paper, section 4.2).
 *
 * <p>In Java, a method looks like this:
 *
 * <pre>{@code
 * public int add(int a, Object b) throws Full, RemoteException {
 *   try {
 *     return reference.intApplicationCall(3, new Arguments0(a, b));
 *   } catch (RuntimeException | Full | RemoteException e) {
 *     throw e;
 *   } catch (Exception e) {
 *     throw unexpected(e);
 *   }
 * }
 * }</pre>
 *
 * <p>A method that returns a {@code CompletableFuture} calls {@code futureApplicationCall}, which
 * does not wait.
 */
final class StubEmitter {
  private final RemoteModel model;
  private final ClassBuilder stub;
  private final ArgumentsEmitter arguments;

  StubEmitter(RemoteModel model) {
    this.model = model;
    String name = GeneratedNames.stub(model).replace('.', '/');
    stub = new ClassBuilder(name, STUB, Emitter.internalNames(model.interfaces()));
    arguments = new ArgumentsEmitter(name);
  }

  /** The arguments' classes and, last, the stub. */
  List<ClassFile> emit() {
    stub.constant(Emitter.FINGERPRINT, model.fingerprint());
    stub.forwardingConstructor(CLIENT_REF);
    List<RemoteMethod> methods = model.methods();
    for (int number = 0; number < methods.size(); number++) {
      RemoteMethod method = methods.get(number);
      if (method.signature().equals("finalize()V")) {
        emitFinalize();
      } else {
        emitMethod(number, method);
      }
    }
    List<ClassFile> all = arguments.classes();
    all.add(stub.toClassFile());
    return all;
  }

  /** The collector calls it, not the application: it stays here, as on stock RMI. */
  private void emitFinalize() {
    MethodVisitor code = stub.method(Opcodes.ACC_PUBLIC, "finalize", "()V");
    code.visitInsn(Opcodes.RETURN);
    ClassBuilder.end(code);
  }

  private void emitMethod(int number, RemoteMethod method) {
    String[] exceptions = Emitter.internalNames(method.exceptions());
    MethodVisitor code =
        stub.method(Opcodes.ACC_PUBLIC, method.name(), method.descriptor(), exceptions);
    Label start = new Label();
    Label end = new Label();
    Label rethrow = new Label();
    Label unexpected = new Label();
    boolean allDeclared = catchDeclared(code, exceptions, start, end, rethrow);
    if (!allDeclared) {
      code.visitTryCatchBlock(start, end, unexpected, "java/lang/Exception");
    }
    code.visitLabel(start);
    emitCall(code, number, method);
    code.visitLabel(end);
    if (!allDeclared) {
      code.visitLabel(rethrow);
      code.visitInsn(Opcodes.ATHROW);
      code.visitLabel(unexpected);
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          STUB,
          "unexpected",
          "(Ljava/lang/Exception;)Ljava/rmi/UnexpectedException;",
          false);
      code.visitInsn(Opcodes.ATHROW);
    }
    ClassBuilder.end(code);
  }

  /**
   * Lets pass what may pass; returns true when that is every exception, and nothing needs to be
   * caught.
   */
  private static boolean catchDeclared(
      MethodVisitor code, String[] exceptions, Label start, Label end, Label rethrow) {
    for (String each : exceptions) {
      if (each.equals("java/lang/Exception") || each.equals("java/lang/Throwable")) {
        return true;
      }
    }
    code.visitTryCatchBlock(start, end, rethrow, "java/lang/RuntimeException");
    for (String each : exceptions) {
      code.visitTryCatchBlock(start, end, rethrow, each);
    }
    return false;
  }

  private void emitCall(MethodVisitor code, int number, RemoteMethod method) {
    Type result = Type.getReturnType(method.descriptor());
    Kind kind = Kind.of(result);
    boolean future = result.getDescriptor().equals(descriptor(FUTURE));
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitFieldInsn(Opcodes.GETFIELD, STUB, "reference", descriptor(CLIENT_REF));
    Emitter.pushInt(code, number);
    emitArguments(code, Type.getArgumentTypes(method.descriptor()));
    boolean exact = Emitter.isExact(result);
    if (exact) {
      code.visitLdcInsn(result);
    }
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        CLIENT_REF,
        future ? "futureApplicationCall" : kind.applicationCall(),
        "(I"
            + descriptor(ARGUMENTS)
            + (exact ? "Ljava/lang/Class;)" : ")")
            + (future ? descriptor(FUTURE) : kind.descriptor),
        false);
    if (!future) {
      Emitter.cast(code, result);
    }
    code.visitInsn(result.getOpcode(Opcodes.IRETURN));
  }

  private void emitArguments(MethodVisitor code, Type[] parameters) {
    if (parameters.length == 0) {
      code.visitFieldInsn(Opcodes.GETSTATIC, ARGUMENTS, "NONE", descriptor(ARGUMENTS));
      return;
    }
    String holder = arguments.classFor(parameters);
    code.visitTypeInsn(Opcodes.NEW, holder);
    code.visitInsn(Opcodes.DUP);
    int slot = 1;
    for (Type parameter : parameters) {
      code.visitVarInsn(parameter.getOpcode(Opcodes.ILOAD), slot);
      slot += parameter.getSize();
    }
    code.visitMethodInsn(
        Opcodes.INVOKESPECIAL,
        holder,
        "<init>",
        ArgumentsEmitter.constructorDescriptor(parameters),
        false);
  }
}
