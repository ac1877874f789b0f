package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.HiddenConstants;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/** Field access from a hidden class, which may have objects of this VM as constants. */
public abstract class HiddenFieldCode extends FieldCode {
  final FieldLayout layout;

  /** Lookup to define a hidden class that sees what the generated code names. */
  final MethodHandles.Lookup host;

  final HiddenConstants constants;

  HiddenFieldCode(FieldLayout layout, MethodHandles.Lookup host) {
    this.layout = layout;
    this.host = host;
    constants = new HiddenConstants(Type.getInternalName(host.lookupClass()) + "$$FieldAccess");
  }

  /** Whether it sets fields, too; else the JDK's default methods have to. */
  boolean sets() {
    return true;
  }

  final void pushConstant(MethodVisitor code, Object constant, Class<?> type) {
    constants.push(code, constant, type);
  }

  @Override
  protected final String descriptor(int index) {
    return layout.fields[index].getType().descriptorString();
  }

  @Override
  protected final boolean isPresent(int index) {
    return layout.fields[index] != null;
  }

  @Override
  protected final boolean isOwnKind(int index) {
    return layout.fields[index].getType() == layout.declaring;
  }

  @Override
  protected final boolean isExact(int index) {
    return isExact(layout.fields[index].getType());
  }

  private static boolean isExact(Class<?> type) {
    Class<?> component = type.getComponentType();
    return component == null
        ? Modifier.isFinal(type.getModifiers())
        : component.isPrimitive() || isExact(component);
  }

  @Override
  protected final void pushExactClass(MethodVisitor code, int index) {
    Class<?> type = layout.fields[index].getType();
    pushConstant(code, type, Class.class);
    code.visitLdcInsn(System.identityHashCode(type));
  }

  /** A reflective look-up. */
  interface Reflection<T> {
    T get() throws ReflectiveOperationException;
  }

  /** Fails like {@code setAccessible}, so that another strategy is tried. */
  static <T> T reach(Reflection<T> reflection) {
    try {
      return reflection.get();
    } catch (ReflectiveOperationException e) {
      throw new InaccessibleObjectException(e.getMessage());
    }
  }
}
