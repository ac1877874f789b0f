package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.UnsafeMethods;
import java.lang.invoke.MethodHandles;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Field access by calls of one of the JDK's two Unsafe classes with constant offsets. */
public final class UnsafeFieldCode extends HiddenFieldCode {
  private final UnsafeMethods methods;
  private final Class<?> unsafe;

  private UnsafeFieldCode(FieldLayout layout, UnsafeMethods methods) {
    super(layout, MethodHandles.lookup());
    this.methods = methods;
    unsafe = methods.unsafe().getClass();
  }

  /** By {@code jdk.internal.misc.Unsafe}, where it is exported to this library. */
  public static HiddenFieldCode internal(FieldLayout layout) throws ReflectiveOperationException {
    return new UnsafeFieldCode(layout, UnsafeMethods.internal());
  }

  /** By {@code sun.misc.Unsafe}, where the JDK does not warn of it. */
  public static HiddenFieldCode supported(FieldLayout layout) throws ReflectiveOperationException {
    return new UnsafeFieldCode(layout, UnsafeMethods.supported());
  }

  @Override
  protected String objectDescriptor() {
    return "Ljava/lang/Object;";
  }

  @Override
  protected void load(MethodVisitor code, int index, int object) {
    pushTarget(code, index, object);
    invoke(code, "get" + suffix(index), "(Ljava/lang/Object;J)" + erased(index));
  }

  @Override
  protected void store(MethodVisitor code, int index, int object, Runnable value) {
    pushTarget(code, index, object);
    value.run();
    invoke(code, "put" + suffix(index), "(Ljava/lang/Object;J" + erased(index) + ")V");
  }

  private void pushTarget(MethodVisitor code, int index, int object) {
    Type type = Type.getType(unsafe);
    if (methods.isInternal()) { // its instance is public, which saves a constant
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          type.getInternalName(),
          "getUnsafe",
          Type.getMethodDescriptor(type),
          false);
    } else {
      pushConstant(code, methods.unsafe(), unsafe);
    }
    code.visitVarInsn(Opcodes.ALOAD, object);
    code.visitLdcInsn(reach(() -> methods.offset(layout.fields[index])));
  }

  private void invoke(MethodVisitor code, String name, String descriptor) {
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, Type.getInternalName(unsafe), name, descriptor, false);
  }

  private String erased(int index) {
    return layout.fields[index].getType().isPrimitive() ? descriptor(index) : "Ljava/lang/Object;";
  }

  private String suffix(int index) {
    Class<?> type = layout.fields[index].getType();
    if (!type.isPrimitive()) {
      return methods.referenceSuffix();
    }
    String name = type.getName();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
