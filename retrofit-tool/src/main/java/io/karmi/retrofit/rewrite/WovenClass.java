package io.karmi.retrofit.rewrite;

import io.karmi.uka.codegen.ByteAccess;
import io.karmi.uka.codegen.ClassCode;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Class that is being woven, for the emitters. */
final class WovenClass extends ClassCode {
  /** Name of the method that writes. */
  static final String MARSHAL = "marshal";

  static final String MARSHAL_TYPE = "(L" + SINK + ";JI)V";

  /** Name of the method that reads a reference to an object of the class. */
  static final String READ_OWN_KIND = "read$own";

  static final String READ_OWN_KIND_TYPE = "(L" + SOURCE + ";I)Ljava/lang/Object;";

  private final Type self;
  private final ClassVisitor next;

  WovenClass(Type self, ClassVisitor next) {
    super(self.getInternalName(), ByteAccess.HANDLES, MARSHAL + "$");
    this.self = self;
    this.next = next;
  }

  @Override
  protected MethodVisitor begin(String method, String descriptor) {
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
    return next.visitMethod(access, method, descriptor, null, null);
  }

  /** The locals are the parameters of {@code marshal}, those of the buffer if it has been got. */
  @Override
  protected void join(MethodVisitor code, Label label, boolean value) {
    code.visitLabel(label);
    Object top = Opcodes.TOP;
    Object[] locals = {
      self.getInternalName(),
      SINK,
      Opcodes.LONG,
      Opcodes.INTEGER,
      value ? top : "io/karmi/uka/buffer/OutputBuffer",
      value ? top : "[B",
      value ? top : Opcodes.INTEGER,
      self.getInternalName()
    };
    code.visitFrame(Opcodes.F_NEW, value ? locals.length : locals.length - 1, locals, 0, null);
  }

  @Override
  protected void writeSelf(MethodVisitor code, int object, int sink, int opening) {
    code.visitVarInsn(Opcodes.ALOAD, object);
    code.visitVarInsn(Opcodes.ALOAD, sink);
    code.visitVarInsn(Opcodes.LLOAD, opening);
    code.visitVarInsn(Opcodes.ILOAD, opening + 2);
    String owner = self.getInternalName();
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, MARSHAL, MARSHAL_TYPE, false);
  }

  @Override
  protected void readOwnKind(MethodVisitor code, int source, int handle) {
    code.visitVarInsn(Opcodes.ALOAD, source);
    code.visitVarInsn(Opcodes.ILOAD, handle);
    String owner = self.getInternalName();
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, READ_OWN_KIND, READ_OWN_KIND_TYPE, false);
  }
}
