package io.karmi.uka.marshal.access;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.util.List;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Generates {@link FieldAccess#write} and {@link FieldAccess#read}: fields move between object and
 * stream without an array in between.
 *
 * <p>While references are read, what has been read waits in local variables: a cycle may show the
 * object to other code before it is complete, and that code must see what the JDK would show it, no
 * field set at all.
 */
final class TransferGenerator implements Opcodes {
  private static final String SINK = Type.getInternalName(FieldSink.class);
  private static final String SOURCE = Type.getInternalName(FieldSource.class);
  private static final String OUTPUT = "io/karmi/uka/buffer/OutputBuffer";
  private static final String INPUT = "io/karmi/uka/buffer/InputBuffer";
  private static final String CHECK = "(Ljava/lang/Object;ILjava/lang/Object;)V";

  private static final String READ = "(L" + SOURCE + ";Ljava/lang/Object;I)V";

  /** Classes with more take the way through arrays. */
  private static final int MOST_LOCALS = 120;

  private final AccessGenerator generator;
  private final FieldLayout layout;
  private final FieldCode fields;
  private final List<PrimitiveUnit> units;

  TransferGenerator(AccessGenerator generator, FieldLayout layout, FieldCode fields) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
    units = PrimitiveUnit.split(layout);
  }

  void generate() throws ReflectiveOperationException {
    if (2 * units.size() + layout.referenceCount() > MOST_LOCALS) {
      return;
    }
    write();
    if (layout.declaring.isRecord()) {
      return;
    }
    if (layout.referenceCount() == 0) {
      readPrimitivesOnly();
    } else {
      read();
    }
    if (Instantiator.allocates(layout.declaring)) {
      readNew();
    }
  }

  /* Locals of readNew: 1 source, 2 object, 3 handle. */

  private void readNew() {
    MethodVisitor code =
        generator.method(ACC_PUBLIC, "readNew", "(L" + SOURCE + ";)Ljava/lang/Object;");
    fields.pushConstant(code, SunUnsafe.allocator(layout.declaring), MethodHandle.class);
    code.visitMethodInsn(
        INVOKEVIRTUAL,
        "java/lang/invoke/MethodHandle",
        "invokeExact",
        "()Ljava/lang/Object;",
        false);
    code.visitVarInsn(ASTORE, 2);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "begin", "(Ljava/lang/Object;)I", false);
    code.visitVarInsn(ISTORE, 3);
    code.visitVarInsn(ALOAD, 0);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, generator.name, "read", READ, false);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "end", "(I)V", false);
    code.visitVarInsn(ALOAD, 2);
    code.visitInsn(ARETURN);
    AccessGenerator.finish(code);
  }

  /* Locals of write: 1 sink, 2 object, 3 opening, 5 its length, 6 object as its class, 7 buffer, 8 array, 9 position. */

  private void write() throws ReflectiveOperationException {
    MethodVisitor code =
        generator.method(ACC_PUBLIC, "write", "(L" + SINK + ";Ljava/lang/Object;JI)V");
    generator.pushObject(code, 2);
    code.visitVarInsn(ASTORE, 6);
    code.visitVarInsn(ALOAD, 1);
    openBlock(code, SINK, OUTPUT, "reserve", Long.BYTES + layout.primitiveBytes, 7);
    writeOpening(code);
    generator.movePrimitives(code, "getPrimitives", 6, 8, 9);
    closeBlock(code, OUTPUT, 7);
    for (int i = layout.primitiveCount; i < layout.codes.length; i++) {
      writeReference(code, i);
    }
    AccessGenerator.end(code);
  }

  /** Always stores eight bytes, of which only the opening's are kept. */
  private static void writeOpening(MethodVisitor code) {
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
    if (field != null && field.getType() == String.class) {
      if (!namesTypes()) {
        code.visitTypeInsn(CHECKCAST, "java/lang/String");
      }
      code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeString", "(Ljava/lang/String;)V", false);
    } else {
      code.visitMethodInsn(INVOKEVIRTUAL, SINK, "writeReference", "(Ljava/lang/Object;)V", false);
    }
  }

  /* Locals of read: 1 source, 2 object, 3 handle, 4 object as its class, 5 buffer, 6 array, 7 position, then values. */

  private MethodVisitor beginRead() {
    MethodVisitor code = generator.method(ACC_PUBLIC, "read", READ);
    generator.pushObject(code, 2);
    code.visitVarInsn(ASTORE, 4);
    if (layout.primitiveBytes > 0) {
      code.visitVarInsn(ALOAD, 1);
      openBlock(code, SOURCE, INPUT, "require", layout.primitiveBytes, 5);
    }
    return code;
  }

  private void readPrimitivesOnly() {
    MethodVisitor code = beginRead();
    if (layout.primitiveBytes > 0) {
      generator.movePrimitives(code, "setPrimitives", 4, 6, 7);
      closeBlock(code, INPUT, 5);
    }
    AccessGenerator.end(code);
  }

  private void read() throws ReflectiveOperationException {
    MethodVisitor code = beginRead();
    int[] unitLocals = new int[units.size()];
    int next = 8;
    for (int i = 0; i < unitLocals.length; i++) {
      unitLocals[i] = next;
      units.get(i).emitLoad(code, 6, 7, next);
      next += 2;
    }
    if (layout.primitiveBytes > 0) {
      closeBlock(code, INPUT, 5);
    }
    int firstReference = next;
    readReferences(code, firstReference);
    checkReferences(code, firstReference);
    int scratch = firstReference + layout.referenceCount();
    for (int i = 0; i < unitLocals.length; i++) {
      units.get(i).emitSet(code, fields, 4, unitLocals[i], scratch);
    }
    setReferences(code, firstReference, scratch);
    AccessGenerator.end(code);
  }

  private void readReferences(MethodVisitor code, int firstLocal) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      code.visitVarInsn(ALOAD, 1);
      if (layout.reference(i) == null) {
        code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "skipReference", "()V", false);
      } else {
        code.visitVarInsn(ILOAD, 3);
        code.visitMethodInsn(
            INVOKEVIRTUAL, SOURCE, "readReference", "(I)Ljava/lang/Object;", false);
        code.visitVarInsn(ASTORE, firstLocal + i);
      }
    }
    Label intact = new Label();
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "isIntact", "(I)Z", false);
    code.visitJumpInsn(IFNE, intact);
    code.visitInsn(RETURN);
    code.visitLabel(intact);
  }

  private void checkReferences(MethodVisitor code, int firstLocal) {
    for (int i = 0; i < layout.referenceCount(); i++) {
      if (!needsCheck(i)) {
        continue;
      }
      Label right = new Label();
      if (namesTypes()) {
        code.visitVarInsn(ALOAD, firstLocal + i);
        code.visitTypeInsn(INSTANCEOF, Type.getInternalName(layout.reference(i).getType()));
        code.visitJumpInsn(IFNE, right);
        code.visitVarInsn(ALOAD, firstLocal + i);
        code.visitJumpInsn(IFNULL, right);
      }
      code.visitVarInsn(ALOAD, 0);
      code.visitVarInsn(ALOAD, 2);
      code.visitLdcInsn(i);
      code.visitVarInsn(ALOAD, firstLocal + i);
      code.visitMethodInsn(
          INVOKEVIRTUAL, Type.getInternalName(FieldAccess.class), "checkReference", CHECK, false);
      code.visitLabel(right);
    }
  }

  private void setReferences(MethodVisitor code, int firstLocal, int scratch)
      throws ReflectiveOperationException {
    for (int i = 0; i < layout.referenceCount(); i++) {
      if (layout.reference(i) == null) {
        continue;
      }
      code.visitVarInsn(ALOAD, firstLocal + i);
      if (namesTypes() && needsCheck(i)) {
        code.visitTypeInsn(CHECKCAST, Type.getInternalName(layout.reference(i).getType()));
      }
      code.visitVarInsn(ASTORE, scratch);
      fields.store(code, layout.primitiveCount + i, 4, scratch);
    }
  }

  private boolean needsCheck(int index) {
    return layout.reference(index) != null && layout.reference(index).getType() != Object.class;
  }

  /** Whether the code may mention the classes of fields. */
  private boolean namesTypes() {
    return !fields.objectDescriptor().equals("Ljava/lang/Object;");
  }

  /** Takes sink or source from the stack; leaves buffer, array and position in locals. */
  private static void openBlock(
      MethodVisitor code, String owner, String bufferType, String ensure, int bytes, int buffer) {
    code.visitFieldInsn(GETFIELD, owner, "buffer", "L" + bufferType + ";");
    code.visitVarInsn(ASTORE, buffer);
    code.visitVarInsn(ALOAD, buffer);
    code.visitLdcInsn(bytes);
    code.visitMethodInsn(INVOKEVIRTUAL, bufferType, ensure, "(I)V", false);
    code.visitVarInsn(ALOAD, buffer);
    code.visitFieldInsn(GETFIELD, bufferType, "bytes", "[B");
    code.visitVarInsn(ASTORE, buffer + 1);
    code.visitVarInsn(ALOAD, buffer);
    code.visitFieldInsn(GETFIELD, bufferType, "position", "I");
    code.visitVarInsn(ISTORE, buffer + 2);
  }

  private void closeBlock(MethodVisitor code, String bufferType, int buffer) {
    code.visitVarInsn(ALOAD, buffer);
    code.visitVarInsn(ILOAD, buffer + 2);
    code.visitLdcInsn(layout.primitiveBytes);
    code.visitInsn(IADD);
    code.visitFieldInsn(PUTFIELD, bufferType, "position", "I");
  }
}
