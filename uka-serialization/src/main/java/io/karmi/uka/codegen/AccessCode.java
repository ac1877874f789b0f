package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.field.StreamSetting;
import io.karmi.uka.platform.GeneratedClass;
import java.lang.reflect.Field;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Code of the hidden class of a {@link FieldAccess} that reaches one field or all of a kind. */
final class AccessCode extends ClassCode implements Opcodes {
  /** Internal name of the class that generated ones extend. */
  static final String ACCESS = Type.getInternalName(FieldAccess.class);

  /** Internal name of the class that those extend which only get fields. */
  private static final String STREAM_SETTING = Type.getInternalName(StreamSetting.class);

  /** Name of the methods that set primitives. */
  static final String SETTERS = "setPrimitives";

  private static final String MOVE = "(Ljava/lang/Object;[BI)V";

  private final FieldLayout layout;
  private final HiddenFieldCode fields;
  final ClassWriter writer = GeneratedClass.newWriter();

  AccessCode(FieldLayout layout, HiddenFieldCode fields) {
    super(fields.constants.owner(), ByteAccess.METHODS, "");
    this.layout = layout;
    this.fields = fields;
  }

  /** Begins the class. */
  void begin() {
    boolean sets = fields.sets();
    String parent = sets ? ACCESS : STREAM_SETTING;
    GeneratedClass.begin(writer, ACC_PUBLIC | ACC_FINAL | ACC_SUPER, name, parent);
    getPrimitives();
    getReference();
    if (sets) {
      setPrimitives();
      setReference();
    }
  }

  private void getPrimitives() {
    BlockCode block = new BlockCode(this, fields, layout.block, WriteCode.GETTERS);
    MethodVisitor code = method(ACC_PUBLIC, WriteCode.GETTERS, MOVE);
    block.defineGetters();
    moveAll(code, block);
  }

  private void setPrimitives() {
    MethodVisitor code = method(ACC_PUBLIC, SETTERS, MOVE);
    if (layout.declaring.isRecord()) {
      refuse(code);
      return;
    }
    BlockCode block = new BlockCode(this, fields, layout.block, SETTERS);
    block.defineSetters();
    moveAll(code, block);
  }

  private void moveAll(MethodVisitor code, BlockCode block) {
    int object = castObject(code, 1, new Locals(4));
    block.call(code, object, 2, 3);
    GeneratedClass.end(code);
  }

  private void getReference() {
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

  private void setReference() {
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

  private void setReference(MethodVisitor code, int field) {
    int object = castObject(code, 1, new Locals(4));
    fields.store(code, field, object, () -> pushNewValue(code, field));
  }

  private void pushNewValue(MethodVisitor code, int field) {
    code.visitVarInsn(ALOAD, 3);
    if (fields.namesTypes()) {
      code.visitTypeInsn(CHECKCAST, Type.getInternalName(layout.fields[field].getType()));
    }
  }

  /** Checks that the value in a local can be assigned to a reference of the object in another. */
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
    Push.number(code, index);
    code.visitVarInsn(ALOAD, value);
    code.visitMethodInsn(
        INVOKEVIRTUAL, ACCESS, "checkReference", "(Ljava/lang/Object;ILjava/lang/Object;)V", false);
    code.visitLabel(right);
  }

  /** Leaves on the stack whether the value in a local is an instance of the type. */
  private void testType(MethodVisitor code, Class<?> type, int local) {
    if (fields.namesTypes()) {
      code.visitVarInsn(ALOAD, local);
      code.visitTypeInsn(INSTANCEOF, Type.getInternalName(type));
      return;
    }
    fields.pushConstant(code, type, Class.class);
    code.visitVarInsn(ALOAD, local);
    code.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/Class", "isInstance", "(Ljava/lang/Object;)Z", false);
  }

  /** Stores the object of a local in another one, cast to its class; returns that local. */
  int castObject(MethodVisitor code, int local, Locals free) {
    int object = free.single();
    pushObject(code, local);
    code.visitVarInsn(ASTORE, object);
    return object;
  }

  void pushObject(MethodVisitor code, int local) {
    code.visitVarInsn(ALOAD, local);
    Type type = Type.getType(fields.objectDescriptor());
    if (!type.getInternalName().equals("java/lang/Object")) {
      code.visitTypeInsn(CHECKCAST, type.getInternalName());
    }
  }

  /** Jumps by the index in local 2; the last label is for an invalid index. */
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

  /** Throws, as a record is made by its constructor. */
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

  @Override
  protected MethodVisitor begin(String method, String descriptor) {
    return writer.visitMethod(ACC_PRIVATE | ACC_STATIC, method, descriptor, null, null);
  }

  @Override
  protected void join(MethodVisitor code, Label label, boolean value) {
    code.visitLabel(label); // the frame is computed
  }

  @Override
  protected void enterIfNew(MethodVisitor code, int sink, int object) {
    if (ContentGenerator.applies(layout)) {
      ContentGenerator.callWithHash(code, name, sink, "enterIfNew", object);
    } else {
      super.enterIfNew(code, sink, object);
    }
  }

  @Override
  protected void writeSelf(MethodVisitor code, int object, int sink, int opening) {
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, sink);
    code.visitVarInsn(ALOAD, object);
    code.visitVarInsn(LLOAD, opening);
    code.visitVarInsn(ILOAD, opening + 2);
    String descriptor = "(L" + SINK + ";Ljava/lang/Object;JI)V";
    code.visitMethodInsn(INVOKEVIRTUAL, name, "write", descriptor, false);
  }

  @Override
  protected void readOwnKind(MethodVisitor code, int source, int handle) {
    Label other = new Label();
    Label end = new Label();
    code.visitVarInsn(ALOAD, source);
    code.visitVarInsn(ALOAD, 0);
    String descriptor = "(L" + Type.getInternalName(ObjectAccess.class) + ";)Z";
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "enterIfNext", descriptor, false);
    code.visitJumpInsn(IFEQ, other);
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, source);
    code.visitMethodInsn(INVOKEVIRTUAL, name, "readNew", RunGenerator.MAKES, false);
    code.visitVarInsn(ALOAD, source);
    code.visitVarInsn(ILOAD, handle);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "leaveTo", "(I)V", false);
    code.visitJumpInsn(GOTO, end);
    code.visitLabel(other);
    code.visitVarInsn(ALOAD, source);
    code.visitVarInsn(ILOAD, handle);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "readReference", "(I)Ljava/lang/Object;", false);
    code.visitLabel(end);
  }

  MethodVisitor method(int access, String method, String descriptor) {
    return GeneratedClass.method(writer, access, method, descriptor);
  }
}
