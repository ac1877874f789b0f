package io.karmi.uka.codegen;

import io.karmi.uka.field.AccessTrace;
import io.karmi.uka.field.FieldSink;
import io.karmi.uka.field.FieldSource;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.field.Woven;
import io.karmi.uka.platform.GeneratedClass;
import io.karmi.uka.platform.HiddenConstants;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generator of access to objects of a class with marshalers of its own (KaRMI paper, 3.7): {@code
 * io.karmi.uka.UkaAware}, by hand or woven. The code is much the same for all, but each class has
 * its own call site, into which the JIT can inline.
 */
public final class AwareAccess implements Opcodes {
  private static final String NAME = Type.getInternalName(AwareAccess.class) + "$$Of";
  private static final String SUPER = Type.getInternalName(ObjectAccess.class);
  private static final String SINK = Type.getInternalName(FieldSink.class);
  private static final String SOURCE = Type.getInternalName(FieldSource.class);
  private static final String OUT_BUFFER = "io/karmi/uka/buffer/OutputBuffer";
  private static final String IN_BUFFER = "io/karmi/uka/buffer/InputBuffer";
  private static final String AWARE = "io/karmi/uka/UkaAware";
  private static final String WOVEN = Type.getInternalName(Woven.class);
  private static final String OUT = "io/karmi/uka/UkaObjectOutputStream";
  private static final String IN = "io/karmi/uka/UkaObjectInputStream";
  private static final String MISSING = "java/lang/ClassNotFoundException";

  private final ClassWriter writer = GeneratedClass.newWriter();

  private final HiddenConstants constants = new HiddenConstants(NAME);
  private final MethodHandle constructor;

  private AwareAccess(MethodHandle constructor) {
    this.constructor = constructor;
  }

  /**
   * Access to objects of a class with marshalers by hand.
   *
   * @param constructor of type {@code (UkaObjectInputStream)Object}
   */
  public static ObjectAccess of(Class<?> type, MethodHandle constructor) {
    AccessTrace.print(type, "aware");
    AwareAccess generator = new AwareAccess(constructor);
    generator.begin();
    generator.write();
    generator.make();
    return generator.end(true);
  }

  /**
   * Access to objects of a woven class.
   *
   * @param constructor of type {@code (FieldSource,int)Object}
   */
  public static ObjectAccess ofWoven(Class<?> type, MethodHandle constructor) {
    AccessTrace.print(type, "woven");
    AwareAccess generator = new AwareAccess(constructor);
    generator.begin();
    generator.writeWoven();
    boolean refers = SerializedFields.refer(type);
    if (refers) {
      generator.makeWoven();
    } else {
      generator.makeLeaf(SerializedFields.primitiveBytes(type));
    }
    return generator.end(refers);
  }

  private void begin() {
    GeneratedClass.begin(writer, ACC_PUBLIC | ACC_FINAL | ACC_SUPER, NAME, SUPER);
  }

  private ObjectAccess end(boolean refers) {
    RunGenerator runs = new RunGenerator(writer, NAME);
    runs.write(true, false);
    runs.read(refers);
    return (ObjectAccess) GeneratedClass.define(MethodHandles.lookup(), writer, constants);
  }

  private MethodVisitor method(String method, String descriptor) {
    return GeneratedClass.method(writer, ACC_PUBLIC, method, descriptor);
  }

  /* Locals of write: 1 sink, 2 object, 3 opening, 5 its length. */

  private void write() {
    MethodVisitor code = method("write", "(L" + SINK + ";Ljava/lang/Object;JI)V");
    code.visitVarInsn(ALOAD, 1);
    code.visitFieldInsn(GETFIELD, SINK, "buffer", "L" + OUT_BUFFER + ";");
    code.visitVarInsn(LLOAD, 3);
    code.visitVarInsn(ILOAD, 5);
    code.visitMethodInsn(INVOKEVIRTUAL, OUT_BUFFER, "writeLow", "(JI)V", false);
    code.visitVarInsn(ALOAD, 1);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "beforeProgram", "()V", false);
    code.visitVarInsn(ALOAD, 2);
    code.visitTypeInsn(CHECKCAST, AWARE);
    code.visitVarInsn(ALOAD, 1);
    code.visitFieldInsn(GETFIELD, SINK, "stream", "Ljava/io/ObjectOutputStream;");
    code.visitTypeInsn(CHECKCAST, OUT);
    code.visitMethodInsn(INVOKEINTERFACE, AWARE, "marshal", "(L" + OUT + ";)V", true);
    GeneratedClass.end(code);
  }

  private void writeWoven() {
    MethodVisitor code = method("write", "(L" + SINK + ";Ljava/lang/Object;JI)V");
    code.visitVarInsn(ALOAD, 2);
    code.visitTypeInsn(CHECKCAST, WOVEN);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(LLOAD, 3);
    code.visitVarInsn(ILOAD, 5);
    code.visitMethodInsn(INVOKEINTERFACE, WOVEN, "marshal", "(L" + SINK + ";JI)V", true);
    GeneratedClass.end(code);
  }

  /* Locals of make: 1 source, 2 handle, 3 object or exception. */

  private MethodVisitor beginMake() {
    MethodVisitor code = method(RunGenerator.MAKE, RunGenerator.MAKES);
    code.visitVarInsn(ALOAD, 1);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "nextHandle", "()I", false);
    code.visitVarInsn(ISTORE, 2);
    return code;
  }

  private void pushConstructor(MethodVisitor code) {
    constants.push(code, constructor, MethodHandle.class);
  }

  private static void construct(MethodVisitor code, String parameters) {
    String descriptor = "(" + parameters + ")Ljava/lang/Object;";
    GeneratedClass.invokeExact(code, descriptor);
    code.visitVarInsn(ASTORE, 3);
  }

  private static void endMake(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 3);
    code.visitInsn(ARETURN);
    GeneratedClass.finish(code);
  }

  private void constructWoven(MethodVisitor code) {
    pushConstructor(code);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 2);
    construct(code, "L" + SOURCE + ";I");
  }

  private void makeWoven() {
    MethodVisitor code = beginMake();
    constructWoven(code);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "end", "(I)V", false);
    endMake(code);
  }

  /**
   * An object that refers to no other gets its handle when it is complete. Its bytes have arrived
   * before it is made, so that the JIT need not fill it with zeros.
   */
  private void makeLeaf(int primitiveBytes) {
    MethodVisitor code = beginMake();
    code.visitVarInsn(ALOAD, 1);
    code.visitFieldInsn(GETFIELD, SOURCE, "buffer", "L" + IN_BUFFER + ";");
    code.visitLdcInsn(primitiveBytes);
    code.visitMethodInsn(INVOKEVIRTUAL, IN_BUFFER, "require", "(I)V", false);
    constructWoven(code);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "addLeaf", "(Ljava/lang/Object;)V", false);
    endMake(code);
  }

  private void make() {
    Label start = new Label();
    Label end = new Label();
    Label missing = new Label();
    MethodVisitor code = beginMake();
    code.visitTryCatchBlock(start, end, missing, MISSING);
    code.visitLabel(start);
    pushConstructor(code);
    code.visitVarInsn(ALOAD, 1);
    code.visitFieldInsn(GETFIELD, SOURCE, "stream", "Ljava/io/ObjectInputStream;");
    code.visitTypeInsn(CHECKCAST, IN);
    construct(code, "L" + IN + ";");
    code.visitLabel(end);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 2);
    code.visitVarInsn(ALOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "endSelfMade", "(ILjava/lang/Object;)V", false);
    code.visitVarInsn(ALOAD, 3);
    code.visitInsn(ARETURN);
    code.visitLabel(missing);
    code.visitVarInsn(ASTORE, 3);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 2);
    code.visitVarInsn(ALOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "lose", "(IL" + MISSING + ";)V", false);
    code.visitInsn(ACONST_NULL);
    code.visitInsn(ARETURN);
    GeneratedClass.finish(code);
  }
}
