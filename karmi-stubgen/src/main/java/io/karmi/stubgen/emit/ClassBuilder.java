package io.karmi.stubgen.emit;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** One class file in the making; computes frames without loading a class. */
final class ClassBuilder {
  final String internalName;
  private final String superName;
  private final ClassWriter writer = new FrameWriter();

  ClassBuilder(String internalName, String superName, String... interfaces) {
    this.internalName = internalName;
    this.superName = superName;
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC;
    writer.visit(Opcodes.V17, access, internalName, null, superName, interfaces);
  }

  /** Adds a constant that reflection can read: {@code public static final long}. */
  void constant(String name, long value) {
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;
    writer.visitField(access, name, "J", null, value).visitEnd();
  }

  void field(String name, String descriptor) {
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
    writer.visitField(access, name, descriptor, null, null).visitEnd();
  }

  /** Starts a method; {@link #end} ends it. */
  MethodVisitor method(int access, String name, String descriptor, String... exceptions) {
    MethodVisitor code = writer.visitMethod(access, name, descriptor, null, exceptions);
    code.visitCode();
    return code;
  }

  static void end(MethodVisitor code) {
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  /** A public constructor that hands its single argument to the superclass. */
  void forwardingConstructor(String argument) {
    String descriptor = "(" + RuntimeNames.descriptor(argument) + ")V";
    MethodVisitor code = method(Opcodes.ACC_PUBLIC, "<init>", descriptor);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitMethodInsn(Opcodes.INVOKESPECIAL, superName, "<init>", descriptor, false);
    code.visitInsn(Opcodes.RETURN);
    end(code);
  }

  ClassFile toClassFile() {
    writer.visitEnd();
    return new ClassFile(internalName.replace('/', '.'), writer.toByteArray());
  }

  /** The only types that meet at one place in generated code are exceptions on their way out. */
  private static final class FrameWriter extends ClassWriter {
    FrameWriter() {
      super(COMPUTE_FRAMES);
    }

    @Override
    protected String getCommonSuperClass(String a, String b) {
      return "java/lang/Throwable";
    }
  }
}
