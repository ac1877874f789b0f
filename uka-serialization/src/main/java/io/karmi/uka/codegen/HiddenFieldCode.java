package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.MethodVisitor;

/** Field access from a hidden class, which may have objects of this VM as constants. */
public abstract class HiddenFieldCode extends FieldCode {
  final FieldLayout layout;

  /** Lookup to define a hidden class that sees what the generated code names. */
  final MethodHandles.Lookup host;

  private final List<Object> constants = new ArrayList<>();

  HiddenFieldCode(FieldLayout layout, MethodHandles.Lookup host) {
    this.layout = layout;
    this.host = host;
  }

  /** The constants of the generated code, its class data. */
  final List<Object> constants() {
    return constants;
  }

  /**
   * Pushes an object of this VM as a constant. Equal objects share one, as each has to be linked.
   */
  final void pushConstant(MethodVisitor code, Object constant, Class<?> type) {
    int index = 0;
    while (index < constants.size() && constants.get(index) != constant) {
      index++;
    }
    if (index == constants.size()) {
      constants.add(constant);
    }
    code.visitLdcInsn(
        new ConstantDynamic("_", type.descriptorString(), GeneratedClass.CLASS_DATA_AT, index));
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
