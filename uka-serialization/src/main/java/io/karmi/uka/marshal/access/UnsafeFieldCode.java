package io.karmi.uka.marshal.access;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** One of the JDK's two Unsafe classes, called directly with constant offsets. */
final class UnsafeFieldCode extends FieldCode {
  private static final String GET_UNSAFE = "getUnsafe";

  private final Object unsafe;
  private final Method objectFieldOffset;
  private final String referenceSuffix;

  /** Whether the class gives its instance to everybody who sees it, which spares a constant. */
  private final boolean anyoneMayAsk;

  private UnsafeFieldCode(
      FieldLayout layout, Object unsafe, String referenceSuffix, boolean anyoneMayAsk)
      throws ReflectiveOperationException {
    super(layout, MethodHandles.lookup());
    this.unsafe = unsafe;
    this.referenceSuffix = referenceSuffix;
    this.anyoneMayAsk = anyoneMayAsk;
    objectFieldOffset = unsafe.getClass().getMethod("objectFieldOffset", Field.class);
  }

  /**
   * {@code jdk.internal.misc.Unsafe}; an IllegalAccessException where it is not exported to this
   * library.
   */
  static FieldCode internal(FieldLayout layout) throws ReflectiveOperationException {
    Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
    if (!type.getModule().isExported(type.getPackageName(), UnsafeFieldCode.class.getModule())) {
      throw new IllegalAccessException("jdk.internal.misc is not exported to this library");
    }
    Object unsafe = type.getMethod(GET_UNSAFE).invoke(null);
    return new UnsafeFieldCode(layout, unsafe, "Reference", true);
  }

  /** {@code sun.misc.Unsafe}, where the JDK says nothing about its use. */
  static FieldCode supported(FieldLayout layout) throws ReflectiveOperationException {
    if (!SunUnsafe.isSilent()) {
      throw new IllegalAccessException("this JDK warns about it");
    }
    return new UnsafeFieldCode(layout, SunUnsafe.INSTANCE, "Object", false);
  }

  @Override
  String objectDescriptor() {
    return "Ljava/lang/Object;";
  }

  @Override
  void load(MethodVisitor code, int index, int object) throws ReflectiveOperationException {
    String descriptor = erased(index);
    pushTarget(code, index, object);
    invoke(code, "get" + suffix(index), "(Ljava/lang/Object;J)" + descriptor);
  }

  @Override
  void store(MethodVisitor code, int index, int object, int value)
      throws ReflectiveOperationException {
    String descriptor = erased(index);
    pushTarget(code, index, object);
    loadLocal(code, descriptor, value);
    invoke(code, "put" + suffix(index), "(Ljava/lang/Object;J" + descriptor + ")V");
  }

  private void pushTarget(MethodVisitor code, int index, int object)
      throws ReflectiveOperationException {
    Type type = Type.getType(unsafe.getClass());
    if (anyoneMayAsk) {
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          type.getInternalName(),
          GET_UNSAFE,
          Type.getMethodDescriptor(type),
          false);
    } else {
      pushConstant(code, unsafe, unsafe.getClass());
    }
    code.visitVarInsn(Opcodes.ALOAD, object);
    code.visitLdcInsn(offset(layout.fields[index]));
  }

  private Long offset(Field field) throws ReflectiveOperationException {
    try {
      return (Long) objectFieldOffset.invoke(unsafe, field);
    } catch (InvocationTargetException e) {
      throw new IllegalAccessException(field + ": " + e.getTargetException().getMessage());
    }
  }

  private void invoke(MethodVisitor code, String name, String descriptor) {
    code.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, Type.getInternalName(unsafe.getClass()), name, descriptor, false);
  }

  private String erased(int index) {
    return layout.fields[index].getType().isPrimitive() ? descriptor(index) : "Ljava/lang/Object;";
  }

  private String suffix(int index) {
    Class<?> type = layout.fields[index].getType();
    if (!type.isPrimitive()) {
      return referenceSuffix;
    }
    String name = type.getName();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
