package io.karmi.uka.codegen;

import static io.karmi.uka.codegen.TransferGenerator.ACCESS;
import static io.karmi.uka.codegen.TransferGenerator.INPUT;
import static io.karmi.uka.codegen.TransferGenerator.SOURCE;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.platform.GeneratedClass;
import java.lang.reflect.Field;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates {@link FieldAccess#read}.
 *
 * <p>While references are read, what has been read waits in local variables: a cycle may show the
 * object to other code before it is complete, and that code must see what the JDK would show it, no
 * field set at all.
 */
final class ReadGenerator implements Opcodes {
  private static final String READ = "(L" + SOURCE + ";Ljava/lang/Object;I[L" + ACCESS + ";I)V";

  private static final String MISFIT = Type.getInternalName(ClassCastException.class);
  private static final String REFUSE = "(L" + MISFIT + ";L" + SOURCE + ";I[L" + ACCESS + ";I)V";

  /** Locals that keep what is read behind the fields. */
  private static final int LEVELS = 140;

  private static final int NEXT = 141;

  private final AccessGenerator generator;
  private final FieldLayout layout;
  private final FieldCode fields;
  private final List<PrimitiveUnit> units;

  ReadGenerator(AccessGenerator generator, FieldLayout layout, FieldCode fields) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
    units = PrimitiveUnit.split(layout);
  }

  /*
   * Locals of read: 1 source, 2 object, 3 handle, 4 object as its class, 5 buffer, 6 array, 7 position, then values;
   * LEVELS and NEXT, which come as 4 and 5.
   */

  private MethodVisitor beginRead() {
    MethodVisitor code = generator.method(ACC_PUBLIC, "read", READ);
    code.visitVarInsn(ALOAD, 4);
    code.visitVarInsn(ASTORE, LEVELS);
    code.visitVarInsn(ILOAD, 5);
    code.visitVarInsn(ISTORE, NEXT);
    open(code);
    return code;
  }

  void open(MethodVisitor code) {
    generator.pushObject(code, 2);
    code.visitVarInsn(ASTORE, 4);
    openInput(code);
  }

  private static void readNext(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    pushNext(code);
    code.visitMethodInsn(INVOKESTATIC, ACCESS, "readNext", READ, false);
  }

  private static void pushNext(MethodVisitor code) {
    code.visitVarInsn(ILOAD, 3);
    code.visitVarInsn(ALOAD, LEVELS);
    code.visitVarInsn(ILOAD, NEXT);
  }

  /** Checks all references; goes to {@code lost} if one does not fit, and nobody need know. */
  private void checkBeforeNext(MethodVisitor code, int firstLocal, Label lost) {
    if (!mayMisfit()) {
      return;
    }
    Label start = new Label();
    Label end = new Label();
    Label misfit = new Label();
    Label next = new Label();
    code.visitLabel(start);
    checkReferences(code, firstLocal);
    code.visitLabel(end);
    code.visitTryCatchBlock(start, end, misfit, MISFIT);
    code.visitJumpInsn(GOTO, next);
    code.visitLabel(misfit);
    code.visitVarInsn(ALOAD, 1);
    pushNext(code);
    code.visitMethodInsn(INVOKESTATIC, ACCESS, "refuse", REFUSE, false);
    code.visitJumpInsn(GOTO, lost);
    code.visitLabel(next);
  }

  void openInput(MethodVisitor code) {
    if (layout.primitiveBytes > 0) {
      code.visitVarInsn(ALOAD, 1);
      TransferGenerator.openBlock(code, SOURCE, INPUT, "require", layout.primitiveBytes, 5);
    }
  }

  /** Straight from the stream if nothing follows. */
  void readPrimitivesOnly() throws ReflectiveOperationException {
    MethodVisitor code = beginRead();
    Label last = new Label();
    code.visitVarInsn(ILOAD, NEXT);
    code.visitVarInsn(ALOAD, LEVELS);
    code.visitInsn(ARRAYLENGTH);
    code.visitJumpInsn(IF_ICMPGE, last);
    fill(code, true);
    code.visitInsn(RETURN);
    code.visitLabel(last);
    if (layout.primitiveBytes > 0) {
      generator.movePrimitives(code, "setPrimitives", layout, 4, 6, 7);
      TransferGenerator.closeBlock(code, INPUT, layout, 5);
    }
    GeneratedClass.end(code);
  }

  void read() throws ReflectiveOperationException {
    MethodVisitor code = beginRead();
    fill(code, true);
    GeneratedClass.end(code);
  }

  /**
   * Reads the fields of the object in local 4, whose handle is in local 3.
   *
   * @param follow whether those of other classes may follow
   */
  void fill(MethodVisitor code, boolean follow) throws ReflectiveOperationException {
    loadUnits(code);
    int firstReference = unitLocal(units.size());
    Label lost = new Label();
    readReferences(code, firstReference);
    if (follow) {
      checkBeforeNext(code, firstReference, lost);
      readNext(code);
      endIfLost(code, lost);
    } else {
      endIfLost(code, lost);
      checkReferences(code, firstReference);
    }
    int scratch = firstReference + layout.referenceCount();
    for (int i = 0; i < units.size(); i++) {
      units.get(i).emitSet(code, fields, 4, unitLocal(i), scratch);
    }
    setReferences(code, firstReference, scratch);
    code.visitLabel(lost);
  }

  /** The local in which the bytes of a unit wait. */
  static int unitLocal(int unit) {
    return 8 + 2 * unit;
  }

  void loadUnits(MethodVisitor code) {
    for (int i = 0; i < units.size(); i++) {
      units.get(i).emitLoad(code, 6, 7, unitLocal(i));
    }
    if (layout.primitiveBytes > 0) {
      TransferGenerator.closeBlock(code, INPUT, layout, 5);
    }
  }

  /** Reads them to locals. */
  void readReferences(MethodVisitor code, int firstLocal) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      code.visitVarInsn(ALOAD, 1);
      Field field = layout.reference(i);
      if (field == null) {
        code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "skipReference", "()V", false);
      } else {
        readReference(code, field.getType());
        code.visitVarInsn(ASTORE, firstLocal + i);
      }
    }
  }

  /** Jumps to {@code lost} if the object is of no use any more. */
  static void endIfLost(MethodVisitor code, Label lost) {
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "isIntact", "(I)Z", false);
    code.visitJumpInsn(IFEQ, lost);
  }

  /**
   * Takes the source from the stack and leaves what it refers to. An object of the very class that
   * is being read is made by this code itself.
   */
  private void readReference(MethodVisitor code, Class<?> type) {
    Label other = new Label();
    Label end = new Label();
    boolean ownKind = type == layout.declaring;
    if (ownKind) {
      code.visitVarInsn(ALOAD, 0);
      String descriptor = "(L" + Type.getInternalName(ObjectAccess.class) + ";)Z";
      code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "begins", descriptor, false);
      code.visitJumpInsn(IFEQ, other);
      code.visitVarInsn(ALOAD, 0);
      code.visitVarInsn(ALOAD, 1);
      code.visitMethodInsn(INVOKEVIRTUAL, generator.name, "readNew", RunGenerator.MAKES, false);
      code.visitVarInsn(ALOAD, 1);
      code.visitVarInsn(ILOAD, 3);
      code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "ends", "(I)V", false);
      code.visitJumpInsn(GOTO, end);
      code.visitLabel(other);
      code.visitVarInsn(ALOAD, 1);
    }
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, reading(type), "(I)Ljava/lang/Object;", false);
    code.visitLabel(end);
  }

  /** The method of the source that reads what a field of this type refers to. */
  private static String reading(Class<?> type) {
    return switch (type.getName()) {
      case "java.lang.String" -> "readString";
      case "java.lang.Integer" -> "readInteger";
      case "java.lang.Long" -> "readLong";
      case "java.lang.Double" -> "readDouble";
      default -> "readReference";
    };
  }

  private void checkReferences(MethodVisitor code, int firstLocal) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      Field field = layout.reference(i);
      if (field != null) {
        generator.checkReference(code, i, field.getType(), firstLocal + i, 2);
      }
    }
  }

  private boolean mayMisfit() {
    for (int i = 0; i < layout.referenceCount(); i++) {
      Field field = layout.reference(i);
      if (field != null && field.getType() != Object.class) {
        return true;
      }
    }
    return false;
  }

  private void setReferences(MethodVisitor code, int firstLocal, int scratch)
      throws ReflectiveOperationException {
    for (int i = 0; i < layout.referenceCount(); i++) {
      Field field = layout.reference(i);
      if (field == null) {
        continue;
      }
      code.visitVarInsn(ALOAD, firstLocal + i);
      if (generator.namesTypes()) {
        code.visitTypeInsn(CHECKCAST, Type.getInternalName(field.getType()));
      }
      code.visitVarInsn(ASTORE, scratch);
      fields.store(code, layout.primitiveCount + i, 4, scratch);
    }
  }
}
