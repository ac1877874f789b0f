package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Field access by plain instructions of a nestmate; final fields are set by constant method
 * handles.
 */
public final class DirectFieldCode extends HiddenFieldCode {
  private final Type owner;

  private DirectFieldCode(FieldLayout layout, MethodHandles.Lookup host) {
    super(layout, host);
    owner = Type.getType(layout.declaring);
  }

  public static HiddenFieldCode of(FieldLayout layout) throws ReflectiveOperationException {
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
  boolean sets() {
    return layout.isSettable();
  }

  @Override
  protected String objectDescriptor() {
    return owner.getDescriptor();
  }

  @Override
  protected void load(MethodVisitor code, int index, int object) {
    code.visitVarInsn(Opcodes.ALOAD, object);
    access(code, Opcodes.GETFIELD, index);
  }

  @Override
  protected void store(MethodVisitor code, int index, int object, Runnable value) {
    Field field = layout.fields[index];
    boolean isFinal = Modifier.isFinal(field.getModifiers());
    if (isFinal) {
      pushConstant(code, setterOfFinal(field), MethodHandle.class);
    }
    code.visitVarInsn(Opcodes.ALOAD, object);
    value.run();
    if (isFinal) {
      GeneratedClass.invokeExact(code, "(" + owner.getDescriptor() + descriptor(index) + ")V");
    } else {
      access(code, Opcodes.PUTFIELD, index);
    }
  }

  private void access(MethodVisitor code, int opcode, int index) {
    String field = layout.fields[index].getName();
    code.visitFieldInsn(opcode, owner.getInternalName(), field, descriptor(index));
  }

  private MethodHandle setterOfFinal(Field field) {
    field.setAccessible(true);
    return reach(() -> host.unreflectSetter(field));
  }
}
