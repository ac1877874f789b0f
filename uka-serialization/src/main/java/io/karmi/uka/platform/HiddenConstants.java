package io.karmi.uka.platform;

import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Objects of this VM that the code of one hidden class has as constants: static final fields, which
 * the class's initializer takes from its class data.
 *
 * <p>A dynamic constant would take no field, but is linked when it is first used. JDK 17's
 * compilers give up a method for good if it has one in a branch that has not run yet.
 */
public final class HiddenConstants {
  private static final int ACCESS =
      Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;

  private static final String LIST = Type.getInternalName(List.class);
  private static final String HANDLES = Type.getInternalName(MethodHandles.class);
  private static final String LOOKUP = Type.getDescriptor(MethodHandles.Lookup.class);
  private static final String CLASS_DATA =
      "(" + LOOKUP + "Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;";

  private final String owner;
  private final List<Object> values = new ArrayList<>();
  private final List<String> descriptors = new ArrayList<>();

  /**
   * No constants yet.
   *
   * @param owner internal name of the class
   */
  public HiddenConstants(String owner) {
    this.owner = owner;
  }

  /** Internal name of the class. */
  public String owner() {
    return owner;
  }

  /** Pushes an object; the same one of the same type has one field. */
  public void push(MethodVisitor code, Object value, Class<?> type) {
    String descriptor = type.descriptorString();
    int index = 0;
    while (index < values.size()
        && !(values.get(index) == value && descriptors.get(index).equals(descriptor))) {
      index++;
    }
    if (index == values.size()) {
      values.add(value);
      descriptors.add(descriptor);
    }
    code.visitFieldInsn(Opcodes.GETSTATIC, owner, name(index), descriptor);
  }

  private static String name(int index) {
    return "constant" + index;
  }

  /** Adds the fields and the initializer, when all code of the class has been written. */
  public void finish(ClassWriter writer) {
    if (values.isEmpty()) {
      return;
    }
    MethodVisitor code = GeneratedClass.method(writer, Opcodes.ACC_STATIC, "<clinit>", "()V");
    code.visitMethodInsn(Opcodes.INVOKESTATIC, HANDLES, "lookup", "()" + LOOKUP, false);
    code.visitLdcInsn("_"); // ConstantDescs.DEFAULT_NAME
    code.visitLdcInsn(Type.getObjectType(LIST));
    code.visitMethodInsn(Opcodes.INVOKESTATIC, HANDLES, "classData", CLASS_DATA, false);
    code.visitTypeInsn(Opcodes.CHECKCAST, LIST);
    code.visitVarInsn(Opcodes.ASTORE, 0);
    for (int i = 0; i < values.size(); i++) {
      String descriptor = descriptors.get(i);
      writer.visitField(ACCESS, name(i), descriptor, null, null).visitEnd();
      code.visitVarInsn(Opcodes.ALOAD, 0);
      code.visitLdcInsn(i);
      code.visitMethodInsn(Opcodes.INVOKEINTERFACE, LIST, "get", "(I)Ljava/lang/Object;", true);
      code.visitTypeInsn(Opcodes.CHECKCAST, Type.getType(descriptor).getInternalName());
      code.visitFieldInsn(Opcodes.PUTSTATIC, owner, name(i), descriptor);
    }
    GeneratedClass.end(code);
  }

  /**
   * Defines the class, and makes an instance.
   *
   * @param host of whose package the class is
   */
  public Object define(
      MethodHandles.Lookup host, byte[] bytecode, MethodHandles.Lookup.ClassOption... options)
      throws ReflectiveOperationException {
    MethodHandles.Lookup hidden =
        values.isEmpty()
            ? host.defineHiddenClass(bytecode, false, options)
            : host.defineHiddenClassWithClassData(bytecode, List.copyOf(values), false, options);
    return hidden.lookupClass().getDeclaredConstructor().newInstance();
  }
}
