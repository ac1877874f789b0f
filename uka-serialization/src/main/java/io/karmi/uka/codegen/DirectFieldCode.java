package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Plain field instructions in a nestmate of the class; final fields are set by constant method
 * handles.
 */
public final class DirectFieldCode extends FieldCode {
  private final Type owner;

  private DirectFieldCode(FieldLayout layout, MethodHandles.Lookup host) {
    super(layout, host);
    owner = Type.getType(layout.declaring);
  }

  public static FieldCode of(FieldLayout layout) throws ReflectiveOperationException {
    Class<?> declaring = layout.declaring;
    if (declaring.isHidden()) {
      throw new IllegalAccessException("a hidden class has no name to link to");
    }
    Class<?> seen = Class.forName(FieldAccess.class.getName(), false, declaring.getClassLoader());
    if (seen != FieldAccess.class
        || !declaring.getModule().canRead(FieldAccess.class.getModule())) {
      throw new IllegalAccessException("the class does not see this library");
    }
    MethodHandles.Lookup host = MethodHandles.privateLookupIn(declaring, MethodHandles.lookup());
    if (!host.hasFullPrivilegeAccess()) {
      throw new IllegalAccessException("the class is in another module");
    }
    return new DirectFieldCode(layout, host);
  }

  @Override
  String objectDescriptor() {
    return owner.getDescriptor();
  }

  @Override
  void load(MethodVisitor code, int index, int object) {
    code.visitVarInsn(Opcodes.ALOAD, object);
    code.visitFieldInsn(
        Opcodes.GETFIELD,
        owner.getInternalName(),
        layout.fields[index].getName(),
        descriptor(index));
  }

  @Override
  void store(MethodVisitor code, int index, int object, int value)
      throws ReflectiveOperationException {
    Field field = layout.fields[index];
    boolean isFinal = Modifier.isFinal(field.getModifiers());
    if (isFinal) {
      field.setAccessible(true);
      pushConstant(code, host.unreflectSetter(field), MethodHandle.class);
    }
    code.visitVarInsn(Opcodes.ALOAD, object);
    loadLocal(code, descriptor(index), value);
    if (isFinal) {
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL,
          "java/lang/invoke/MethodHandle",
          "invokeExact",
          "(" + owner.getDescriptor() + descriptor(index) + ")V",
          false);
    } else {
      code.visitFieldInsn(
          Opcodes.PUTFIELD, owner.getInternalName(), field.getName(), descriptor(index));
    }
  }
}
