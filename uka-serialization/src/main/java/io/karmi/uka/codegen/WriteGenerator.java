package io.karmi.uka.codegen;

import static io.karmi.uka.codegen.TransferGenerator.OUTPUT;
import static io.karmi.uka.codegen.TransferGenerator.SINK;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import io.karmi.uka.platform.PrimitiveBlock;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Generates {@link FieldAccess#write}. */
final class WriteGenerator implements Opcodes {
  private static final String WRITE = "(L" + SINK + ";Ljava/lang/Object;JI)V";

  /** Local that holds a reference. */
  private static final int VALUE = 16;

  /** Local that keeps the opening as it came. */
  private static final int OPENING = 17;

  private final AccessGenerator generator;
  private final FieldLayout layout;
  private final FieldCode fields;

  WriteGenerator(AccessGenerator generator, FieldLayout layout, FieldCode fields) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
  }

  /* Locals of write: 1 sink, 2 object, 3 opening, 5 its length, 6 object as its class, 7 buffer, 8 array, 9 position. */

  void generate() throws ReflectiveOperationException {
    MethodVisitor code = generator.method(ACC_PUBLIC, "write", WRITE);
    generator.pushObject(code, 2);
    code.visitVarInsn(ASTORE, 6);
    code.visitVarInsn(LLOAD, 3);
    code.visitVarInsn(LSTORE, OPENING);
    code.visitVarInsn(ALOAD, 1);
    TransferGenerator.openBlock(
        code, SINK, OUTPUT, "reserve", Long.BYTES + layout.primitiveBytes, 7);
    Label written = new Label();
    if (layout.canBeNarrower()) {
      new NarrowGenerator(generator, layout, fields).write(code, written);
    }
    writeOpening(code);
    generator.movePrimitives(code, "getPrimitives", layout, 6, 8, 9);
    TransferGenerator.closeBlock(code, OUTPUT, layout, 7);
    code.visitLabel(written);
    for (int i = layout.primitiveCount; i < layout.codes.length; i++) {
      writeReference(code, i);
    }
    GeneratedClass.end(code);
  }

  /** Always stores eight bytes, of which only the opening's are kept. */
  static void writeOpening(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 8);
    code.visitVarInsn(ILOAD, 9);
    code.visitVarInsn(LLOAD, 3);
    code.visitMethodInsn(
        INVOKESTATIC, Type.getInternalName(PrimitiveBlock.class), "putLong", "([BIJ)V", false);
    code.visitVarInsn(ILOAD, 9);
    code.visitVarInsn(ILOAD, 5);
    code.visitInsn(IADD);
    code.visitVarInsn(ISTORE, 9);
  }

  private void writeReference(MethodVisitor code, int index) throws ReflectiveOperationException {
    Field field = layout.fields[index];
    code.visitVarInsn(ALOAD, 1);
    if (field == null) {
      code.visitInsn(ACONST_NULL);
    } else {
      fields.load(code, index, 6);
    }
    if (field != null && field.getType() == layout.declaring) {
      writeOwnKind(code);
    } else if (field != null && field.getType() == String.class) {
      if (!generator.namesTypes()) {
        code.visitTypeInsn(CHECKCAST, "java/lang/String");
      }
      code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeString", "(Ljava/lang/String;)V", false);
    } else if (field != null && isExact(field.getType())) {
      fields.pushConstant(code, field.getType(), Class.class);
      code.visitLdcInsn(System.identityHashCode(field.getType()));
      String descriptor = "(Ljava/lang/Object;Ljava/lang/Class;I)V";
      code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeExact", descriptor, false);
    } else {
      code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeReference", "(Ljava/lang/Object;)V", false);
    }
  }

  /** Whether a field of this type refers to objects of one class only. */
  private static boolean isExact(Class<?> type) {
    Class<?> component = type.getComponentType();
    return component == null
        ? Modifier.isFinal(type.getModifiers())
        : component.isPrimitive() || isExact(component);
  }

  /**
   * Writes the reference on the stack, above the sink: if it is to an object of the very class of
   * the one that is being written, and that is written with its opening, by this method itself.
   */
  private void writeOwnKind(MethodVisitor code) {
    Label other = new Label();
    Label end = new Label();
    code.visitVarInsn(ASTORE, VALUE);
    code.visitVarInsn(ALOAD, VALUE);
    code.visitJumpInsn(IFNULL, other);
    code.visitVarInsn(ILOAD, 5);
    code.visitJumpInsn(IFEQ, other);
    pushClassOf(code, VALUE);
    pushClassOf(code, 6);
    code.visitJumpInsn(IF_ACMPNE, other);
    code.visitVarInsn(ALOAD, VALUE);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "begins", "(Ljava/lang/Object;)Z", false);
    code.visitJumpInsn(IFEQ, end);
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, VALUE);
    code.visitVarInsn(LLOAD, OPENING);
    code.visitVarInsn(ILOAD, 5);
    code.visitMethodInsn(INVOKEVIRTUAL, generator.name, "write", WRITE, false);
    code.visitVarInsn(ALOAD, 1);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "ends", "()V", false);
    code.visitJumpInsn(GOTO, end);
    code.visitLabel(other);
    code.visitVarInsn(ALOAD, VALUE);
    code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeReference", "(Ljava/lang/Object;)V", false);
    code.visitLabel(end);
  }

  private static void pushClassOf(MethodVisitor code, int local) {
    code.visitVarInsn(ALOAD, local);
    code.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/Object", "getClass", "()Ljava/lang/Class;", false);
  }
}
