package io.karmi.uka.codegen;

import static io.karmi.uka.codegen.AccessCode.ACCESS;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import java.lang.reflect.Field;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Generator of {@link FieldAccess#read}. */
final class ReadGenerator implements Opcodes {
  private static final String SOURCE = ClassCode.SOURCE;
  private static final String READ = "(L" + SOURCE + ";Ljava/lang/Object;I[L" + ACCESS + ";I)V";

  private static final String MISFIT = Type.getInternalName(ClassCastException.class);
  private static final String REFUSE = "(L" + MISFIT + ";L" + SOURCE + ";I[L" + ACCESS + ";I)V";

  private final AccessCode generator;
  private final FieldLayout layout;
  private final FieldCode fields;

  ReadGenerator(AccessCode generator, FieldLayout layout, FieldCode fields) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
  }

  /* Locals of read: 1 source, 2 object, 3 handle, 4 levels, 5 next. */

  /** Reads straight from the stream if no other class follows. */
  void readPrimitivesOnly() {
    MethodVisitor code = generator.method(ACC_PUBLIC, "read", READ);
    Locals free = new Locals(6);
    int object = generator.castObject(code, 2, free);
    ReadCode reading = reading(free);
    reading.openBlock(code);
    Label last = new Label();
    code.visitVarInsn(ILOAD, 5);
    code.visitVarInsn(ALOAD, 4);
    code.visitInsn(ARRAYLENGTH);
    code.visitJumpInsn(IF_ICMPGE, last);
    fill(code, reading, object, true);
    code.visitInsn(RETURN);
    code.visitLabel(last);
    reading.setBlock(code, object, AccessCode.SETTERS);
    GeneratedClass.end(code);
  }

  void read() {
    MethodVisitor code = generator.method(ACC_PUBLIC, "read", READ);
    Locals free = new Locals(6);
    int object = generator.castObject(code, 2, free);
    ReadCode reading = reading(free);
    reading.openBlock(code);
    fill(code, reading, object, true);
    GeneratedClass.end(code);
  }

  ReadCode reading(Locals free) {
    return new ReadCode(generator, fields, layout.block, layout.referenceCount(), 1, free);
  }

  /**
   * Reads the fields of the object in local 2, whose handle is in local 3.
   *
   * @param object local of the object as its class
   * @param follow whether fields of other classes may follow
   */
  void fill(MethodVisitor code, ReadCode reading, int object, boolean follow) {
    reading.loadBlock(code);
    Label lost = new Label();
    reading.readReferences(code, 3);
    if (follow) {
      checkBeforeNext(code, reading, lost);
      code.visitVarInsn(ALOAD, 1);
      code.visitVarInsn(ALOAD, 2);
      pushNext(code);
      code.visitMethodInsn(INVOKESTATIC, ACCESS, "readNext", READ, false);
      endIfLost(code, lost);
    } else {
      endIfLost(code, lost);
      checkReferences(code, reading);
    }
    reading.setFields(code, object);
    code.visitLabel(lost);
  }

  private static void pushNext(MethodVisitor code) {
    code.visitVarInsn(ILOAD, 3);
    code.visitVarInsn(ALOAD, 4);
    code.visitVarInsn(ILOAD, 5);
  }

  /**
   * Checks all references; jumps to {@code lost} if one does not fit an object that is not intact.
   */
  private void checkBeforeNext(MethodVisitor code, ReadCode reading, Label lost) {
    if (!mayMisfit()) {
      return;
    }
    Label start = new Label();
    Label end = new Label();
    Label misfit = new Label();
    Label next = new Label();
    code.visitLabel(start);
    checkReferences(code, reading);
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

  /** Jumps to {@code lost} if the object is not intact. */
  static void endIfLost(MethodVisitor code, Label lost) {
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "isIntact", "(I)Z", false);
    code.visitJumpInsn(IFEQ, lost);
  }

  private void checkReferences(MethodVisitor code, ReadCode reading) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      Field field = layout.reference(i);
      if (field != null) {
        generator.checkReference(code, i, field.getType(), reading.reference(i), 2);
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
}
