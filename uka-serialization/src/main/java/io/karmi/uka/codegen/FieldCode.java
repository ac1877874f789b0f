package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * How generated code loads and stores one field: the difference between the strategies that
 * generate code.
 */
public abstract class FieldCode {
  final FieldLayout layout;

  /** May define a hidden class that sees what the generated code mentions. */
  final MethodHandles.Lookup host;

  private final List<Object> constants = new ArrayList<>();

  FieldCode(FieldLayout layout, MethodHandles.Lookup host) {
    this.layout = layout;
    this.host = host;
  }

  /** Descriptor of the local variable that holds the object. */
  abstract String objectDescriptor();

  /** Pushes the value of field {@code index} of the object in local variable {@code object}. */
  abstract void load(MethodVisitor code, int index, int object) throws ReflectiveOperationException;

  /**
   * Sets field {@code index} of the object in local {@code object} to the value in local {@code
   * value}.
   */
  abstract void store(MethodVisitor code, int index, int object, int value)
      throws ReflectiveOperationException;

  /** The constants that the generated code mentions, its class data. */
  final List<Object> constants() {
    return constants;
  }

  /**
   * Pushes an object of this VM, which the JIT treats as a constant. The same one is the same
   * constant: each is linked by itself.
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

  final String descriptor(int index) {
    return layout.fields[index].getType().descriptorString();
  }

  static void loadLocal(MethodVisitor code, String descriptor, int local) {
    code.visitVarInsn(Type.getType(descriptor).getOpcode(Opcodes.ILOAD), local);
  }
}
