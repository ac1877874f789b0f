package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Writes the hidden class behind a {@link FieldAccess}; how a field is reached is the {@link
 * FieldCode}'s affair.
 */
public final class AccessGenerator implements Opcodes {
  private static final String SUPER = Type.getInternalName(FieldAccess.class);

  /** Units per method: small enough for C2 to inline each method. */
  private static final int UNITS_PER_METHOD = 8;

  private final FieldLayout layout;
  private final FieldCode fields;
  final ClassWriter writer = GeneratedClass.newWriter();
  final String name;

  private AccessGenerator(FieldLayout layout, FieldCode fields) {
    this.layout = layout;
    this.fields = fields;
    Class<?> neighbour = fields.host.lookupClass();
    name = Type.getInternalName(neighbour) + "$$FieldAccess";
  }

  /** The class file of the hidden class that {@link #generate} defines. */
  public static byte[] bytecode(FieldLayout layout, FieldCode fields)
      throws ReflectiveOperationException {
    return new AccessGenerator(layout, fields).generate();
  }

  /** Access to the fields of a layout by generated code. */
  public static FieldAccess generate(FieldLayout layout, FieldCode fields)
      throws ReflectiveOperationException {
    byte[] bytecode = bytecode(layout, fields);
    MethodHandles.Lookup hidden =
        fields.constants().isEmpty()
            ? fields.host.defineHiddenClass(
                bytecode, false, MethodHandles.Lookup.ClassOption.NESTMATE)
            : fields.host.defineHiddenClassWithClassData(
                bytecode, fields.constants(), false, MethodHandles.Lookup.ClassOption.NESTMATE);
    return (FieldAccess) hidden.lookupClass().getDeclaredConstructor().newInstance();
  }

  private byte[] generate() throws ReflectiveOperationException {
    writer.visit(V17, ACC_PUBLIC | ACC_FINAL | ACC_SUPER, name, null, SUPER, null);
    MethodVisitor constructor = method(ACC_PUBLIC, "<init>", "()V");
    constructor.visitVarInsn(ALOAD, 0);
    constructor.visitMethodInsn(INVOKESPECIAL, SUPER, "<init>", "()V", false);
    GeneratedClass.end(constructor);
    primitives("getPrimitives", false);
    primitives("setPrimitives", true);
    getReference();
    setReference();
    if (layout.whole) {
      new TransferGenerator(this, layout, fields).generate();
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  private void primitives(String method, boolean set) throws ReflectiveOperationException {
    MethodVisitor all = method(ACC_PUBLIC, method, "(Ljava/lang/Object;[BI)V");
    if (set && layout.declaring.isRecord()) {
      refuse(all);
      return;
    }
    primitivesParts(method, layout, set);
    pushObject(all, 1);
    all.visitVarInsn(ASTORE, 4);
    movePrimitives(all, method, layout, 4, 2, 3);
    GeneratedClass.end(all);
  }

  /** The parts of a method that gets or sets all primitives of a layout of these fields. */
  void primitivesParts(String method, FieldLayout layout, boolean set)
      throws ReflectiveOperationException {
    List<PrimitiveUnit> units = PrimitiveUnit.split(layout);
    for (int first = 0; first < units.size(); first += UNITS_PER_METHOD) {
      int end = Math.min(first + UNITS_PER_METHOD, units.size());
      primitivesPart(method + first, partDescriptor(), units.subList(first, end), set);
    }
  }

  private String partDescriptor() {
    return "(" + fields.objectDescriptor() + "[BI)V";
  }

  /** Calls the parts that {@link #primitivesParts} has made, with these locals. */
  void movePrimitives(
      MethodVisitor code, String method, FieldLayout layout, int object, int array, int position) {
    int units = PrimitiveUnit.split(layout).size();
    for (int first = 0; first < units; first += UNITS_PER_METHOD) {
      code.visitVarInsn(ALOAD, object);
      code.visitVarInsn(ALOAD, array);
      code.visitVarInsn(ILOAD, position);
      code.visitMethodInsn(INVOKESTATIC, name, method + first, partDescriptor(), false);
    }
  }

  private void primitivesPart(
      String part, String descriptor, List<PrimitiveUnit> units, boolean set)
      throws ReflectiveOperationException {
    MethodVisitor code = method(ACC_PRIVATE | ACC_STATIC, part, descriptor);
    for (PrimitiveUnit unit : units) {
      if (set) {
        unit.emitLoad(code, 1, 2, 3);
        unit.emitSet(code, fields, 0, 3, 5);
      } else {
        unit.emitGet(code, fields, 0, 1, 2);
      }
    }
    GeneratedClass.end(code);
  }

  private void getReference() throws ReflectiveOperationException {
    MethodVisitor code =
        method(ACC_PUBLIC, "getReference", "(Ljava/lang/Object;I)Ljava/lang/Object;");
    Label[] cases = switchOverReferences(code);
    for (int i = 0; i < layout.referenceCount(); i++) {
      code.visitLabel(cases[i]);
      if (layout.reference(i) == null) {
        code.visitInsn(ACONST_NULL);
      } else {
        pushObject(code, 1);
        code.visitVarInsn(ASTORE, 3);
        fields.load(code, layout.primitiveCount + i, 3);
      }
      code.visitInsn(ARETURN);
    }
    failOnIndex(code, cases);
  }

  private void setReference() throws ReflectiveOperationException {
    MethodVisitor code =
        method(ACC_PUBLIC, "setReference", "(Ljava/lang/Object;ILjava/lang/Object;)V");
    if (layout.declaring.isRecord()) {
      refuse(code);
      return;
    }
    Label[] cases = switchOverReferences(code);
    for (int i = 0; i < layout.referenceCount(); i++) {
      code.visitLabel(cases[i]);
      Field field = layout.reference(i);
      if (field != null) {
        checkReference(code, i, field.getType(), 3, 1);
        setReference(code, layout.primitiveCount + i);
      }
      code.visitInsn(RETURN);
    }
    failOnIndex(code, cases);
  }

  private void setReference(MethodVisitor code, int field) throws ReflectiveOperationException {
    pushObject(code, 1);
    code.visitVarInsn(ASTORE, 4);
    code.visitVarInsn(ALOAD, 3);
    if (namesTypes()) {
      code.visitTypeInsn(CHECKCAST, Type.getInternalName(layout.fields[field].getType()));
    }
    code.visitVarInsn(ASTORE, 5);
    fields.store(code, field, 4, 5);
  }

  /**
   * Checks that the value in a local could be assigned to a reference, of this type, of the object
   * in another.
   */
  void checkReference(MethodVisitor code, int index, Class<?> type, int value, int object) {
    if (type == Object.class) {
      return;
    }
    Label right = new Label();
    testType(code, type, value);
    code.visitJumpInsn(IFNE, right);
    code.visitVarInsn(ALOAD, value);
    code.visitJumpInsn(IFNULL, right);
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, object);
    code.visitLdcInsn(index);
    code.visitVarInsn(ALOAD, value);
    code.visitMethodInsn(
        INVOKEVIRTUAL, SUPER, "checkReference", "(Ljava/lang/Object;ILjava/lang/Object;)V", false);
    code.visitLabel(right);
  }

  /** Leaves on the stack whether the value in a local is an instance of the type. */
  private void testType(MethodVisitor code, Class<?> type, int local) {
    if (namesTypes()) {
      code.visitVarInsn(ALOAD, local);
      code.visitTypeInsn(INSTANCEOF, Type.getInternalName(type));
      return;
    }
    fields.pushConstant(code, type, Class.class);
    code.visitVarInsn(ALOAD, local);
    code.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/Class", "isInstance", "(Ljava/lang/Object;)Z", false);
  }

  /** Whether the code may mention the classes of fields. */
  boolean namesTypes() {
    return !fields.objectDescriptor().equals("Ljava/lang/Object;");
  }

  void pushObject(MethodVisitor code, int local) {
    code.visitVarInsn(ALOAD, local);
    Type type = Type.getType(fields.objectDescriptor());
    if (!type.getInternalName().equals("java/lang/Object")) {
      code.visitTypeInsn(CHECKCAST, type.getInternalName());
    }
  }

  /** Jumps by the index in local 2; the last label is the one for an index that is none. */
  private Label[] switchOverReferences(MethodVisitor code) {
    int count = layout.referenceCount();
    Label[] labels = new Label[count + 1];
    for (int i = 0; i <= count; i++) {
      labels[i] = new Label();
    }
    if (count > 0) {
      Label[] cases = java.util.Arrays.copyOf(labels, count);
      code.visitVarInsn(ILOAD, 2);
      code.visitTableSwitchInsn(0, count - 1, labels[count], cases);
    }
    return labels;
  }

  private void failOnIndex(MethodVisitor code, Label[] labels) {
    code.visitLabel(labels[labels.length - 1]);
    code.visitTypeInsn(NEW, "java/lang/IndexOutOfBoundsException");
    code.visitInsn(DUP);
    code.visitVarInsn(ILOAD, 2);
    code.visitMethodInsn(
        INVOKESPECIAL, "java/lang/IndexOutOfBoundsException", "<init>", "(I)V", false);
    code.visitInsn(ATHROW);
    GeneratedClass.finish(code);
  }

  /** The fields of a record change in its constructor only. */
  private void refuse(MethodVisitor code) {
    code.visitTypeInsn(NEW, "java/lang/UnsupportedOperationException");
    code.visitInsn(DUP);
    code.visitLdcInsn("a record is made by its constructor");
    code.visitMethodInsn(
        INVOKESPECIAL,
        "java/lang/UnsupportedOperationException",
        "<init>",
        "(Ljava/lang/String;)V",
        false);
    code.visitInsn(ATHROW);
    GeneratedClass.finish(code);
  }

  MethodVisitor method(int access, String method, String descriptor) {
    MethodVisitor code = writer.visitMethod(access, method, descriptor, null, null);
    code.visitCode();
    return code;
  }
}
