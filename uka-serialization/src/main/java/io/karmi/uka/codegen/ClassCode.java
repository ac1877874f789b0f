package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldSink;
import io.karmi.uka.field.FieldSource;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Class of generated methods: a hidden class that serves another one, or the woven class itself.
 * Beside {@link FieldCode} it is what differs; the emitters are the same.
 */
public abstract class ClassCode {
  /** Internal name of the stream of objects that are written. */
  public static final String SINK = Type.getInternalName(FieldSink.class);

  /** Internal name of the stream of objects that are read. */
  public static final String SOURCE = Type.getInternalName(FieldSource.class);

  final String name;
  final ByteAccess bytes;
  private final String prefix;

  /**
   * Describes a class.
   *
   * @param name its internal name
   * @param prefix of the names of private methods
   */
  protected ClassCode(String name, ByteAccess bytes, String prefix) {
    this.name = name;
    this.bytes = bytes;
    this.prefix = prefix;
  }

  /** Begins a new private static method. */
  protected abstract MethodVisitor begin(String method, String descriptor);

  /**
   * Marks a jump target in the method that writes.
   *
   * @param value whether the local for a value is in use
   */
  protected abstract void join(MethodVisitor code, Label label, boolean value);

  /** Calls {@code enterIfNew} of the sink with an object of the class. */
  protected void enterIfNew(MethodVisitor code, int sink, int object) {
    code.visitVarInsn(Opcodes.ALOAD, sink);
    code.visitVarInsn(Opcodes.ALOAD, object);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, SINK, "enterIfNew", "(Ljava/lang/Object;)Z", false);
  }

  /** Writes an object of the class itself, with the same opening. */
  protected abstract void writeSelf(MethodVisitor code, int object, int sink, int opening);

  /** Reads a reference to what is mostly an object of the class itself. */
  protected abstract void readOwnKind(MethodVisitor code, int source, int handle);

  final MethodVisitor beginPart(String method, String descriptor) {
    MethodVisitor code = begin(prefix + method, descriptor);
    code.visitCode();
    return code;
  }

  final void callPart(MethodVisitor code, String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, name, prefix + method, descriptor, false);
  }
}
