package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Field access by constant method handles whose types name no class but Object. */
public final class HandleFieldCode extends HiddenFieldCode {
  private static final String OBJECT = "Ljava/lang/Object;";

  private HandleFieldCode(FieldLayout layout) {
    super(layout, MethodHandles.lookup());
  }

  public static HiddenFieldCode of(FieldLayout layout) throws IllegalAccessException {
    for (Field field : layout.fields) {
      if (field != null) {
        field.setAccessible(true);
      }
    }
    return new HandleFieldCode(layout);
  }

  @Override
  boolean sets() {
    return layout.isSettable();
  }

  @Override
  protected String objectDescriptor() {
    return OBJECT;
  }

  @Override
  protected void load(MethodVisitor code, int index, int object) {
    Field field = layout.fields[index];
    MethodType type = MethodType.methodType(erased(field), Object.class);
    pushConstant(code, reach(() -> host.unreflectGetter(field)).asType(type), MethodHandle.class);
    code.visitVarInsn(Opcodes.ALOAD, object);
    invokeExact(code, type);
  }

  @Override
  protected void store(MethodVisitor code, int index, int object, Runnable value) {
    Field field = layout.fields[index];
    MethodType type = MethodType.methodType(void.class, Object.class, erased(field));
    pushConstant(code, reach(() -> host.unreflectSetter(field)).asType(type), MethodHandle.class);
    code.visitVarInsn(Opcodes.ALOAD, object);
    value.run();
    invokeExact(code, type);
  }

  private static Class<?> erased(Field field) {
    return field.getType().isPrimitive() ? field.getType() : Object.class;
  }

  private static void invokeExact(MethodVisitor code, MethodType type) {
    GeneratedClass.invokeExact(code, type.toMethodDescriptorString());
  }
}
