package io.karmi.uka.codegen;

import static io.karmi.uka.codegen.TransferGenerator.INPUT;
import static io.karmi.uka.codegen.TransferGenerator.SOURCE;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import io.karmi.uka.platform.RecordConstructor;
import io.karmi.uka.platform.SunUnsafe;
import java.lang.invoke.MethodHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Generates the method behind {@link RunGenerator#MAKE}, which makes an object and reads it. */
final class MakeGenerator implements Opcodes {
  private static final String READ_ONLY = "(L" + SOURCE + ";Ljava/lang/Object;I)V";

  private final AccessGenerator generator;
  private final FieldLayout layout;
  private final FieldCode fields;
  private final ReadGenerator reading;
  private final List<PrimitiveUnit> units;

  MakeGenerator(
      AccessGenerator generator, FieldLayout layout, FieldCode fields, ReadGenerator reading) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
    this.reading = reading;
    units = PrimitiveUnit.split(layout);
  }

  /* Locals of make: 1 source, 2 object, 3 handle. */

  private void allocate(MethodVisitor code) {
    fields.pushConstant(code, SunUnsafe.allocator(layout.declaring), MethodHandle.class);
    code.visitMethodInsn(
        INVOKEVIRTUAL,
        "java/lang/invoke/MethodHandle",
        "invokeExact",
        "()Ljava/lang/Object;",
        false);
    code.visitVarInsn(ASTORE, 2);
  }

  /**
   * An object that refers to no other gets its handle when it is complete: nobody can tell, and the
   * JIT need not fill with zeros what it sees filled at once. Locals as in read.
   */
  void leaf() {
    MethodVisitor code = generator.method(ACC_PRIVATE, RunGenerator.MAKE, RunGenerator.MAKES);
    reading.openInput(code);
    allocate(code);
    generator.pushObject(code, 2);
    code.visitVarInsn(ASTORE, 4);
    if (layout.primitiveBytes > 0) {
      generator.movePrimitives(code, "setPrimitives", layout, 4, 6, 7);
      TransferGenerator.closeBlock(code, INPUT, layout, 5);
    }
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "addLeaf", "(Ljava/lang/Object;)V", false);
    code.visitVarInsn(ALOAD, 2);
    code.visitInsn(ARETURN);
    GeneratedClass.finish(code);
  }

  /**
   * Makes an object and reads its fields.
   *
   * @param inPlace whether the code that reads fields is here once more: the JIT would put {@link
   *     FieldAccess#read} here only if it has not compiled that before to something large, as it
   *     mostly has where each object has a next one
   */
  void object(MethodVisitor code, boolean inPlace) throws ReflectiveOperationException {
    allocate(code);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "begin", "(Ljava/lang/Object;)I", false);
    code.visitVarInsn(ISTORE, 3);
    if (inPlace) {
      reading.open(code);
      reading.fill(code, false);
    } else {
      code.visitVarInsn(ALOAD, 0);
      code.visitVarInsn(ALOAD, 1);
      code.visitVarInsn(ALOAD, 2);
      code.visitVarInsn(ILOAD, 3);
      code.visitMethodInsn(INVOKEVIRTUAL, generator.name, "read", READ_ONLY, false);
    }
    endObject(code);
  }

  /* Locals of make for a record: 1 source, 2 record, 3 handle, 5 and on as in read. */

  /** False if the record cannot be made that way. */
  boolean record() {
    RecordConstructor constructor = RecordConstructor.of(layout.declaring);
    if (constructor == null) {
      return false;
    }
    int[] sources = componentFields(constructor);
    if (sources == null) {
      return false;
    }
    MethodVisitor makes = generator.method(ACC_PUBLIC, "makesRecords", "()Z");
    makes.visitInsn(ICONST_1);
    makes.visitInsn(IRETURN);
    GeneratedClass.finish(makes);
    MethodVisitor code = generator.method(ACC_PRIVATE, RunGenerator.MAKE, RunGenerator.MAKES);
    code.visitVarInsn(ALOAD, 1);
    code.visitInsn(ACONST_NULL);
    code.visitInsn(DUP);
    code.visitVarInsn(ASTORE, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "begin", "(Ljava/lang/Object;)I", false);
    code.visitVarInsn(ISTORE, 3);
    reading.openInput(code);
    reading.loadUnits(code);
    Label lost = new Label();
    reading.readReferences(code, ReadGenerator.unitLocal(units.size()));
    if (layout.referenceCount() > 0) {
      ReadGenerator.endIfLost(code, lost);
    }
    construct(code, constructor.direct(), sources);
    code.visitLabel(lost);
    endObject(code);
    return true;
  }

  /** The field behind each component; null if one has none. */
  private int @Nullable [] componentFields(RecordConstructor constructor) {
    int[] sources = new int[constructor.components()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = indexOf(constructor.name(i));
      if (sources[i] < 0) {
        return null;
      }
    }
    return sources;
  }

  private int indexOf(String name) {
    for (int i = 0; i < layout.fields.length; i++) {
      if (layout.fields[i] != null && layout.fields[i].getName().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private void construct(MethodVisitor code, MethodHandle constructor, int[] sources) {
    fields.pushConstant(code, constructor, MethodHandle.class);
    for (int field : sources) {
      for (int i = 0; i < units.size(); i++) {
        if (units.get(i).contains(field)) {
          units.get(i).emitValue(code, field, ReadGenerator.unitLocal(i));
        }
      }
      if (field >= layout.primitiveCount) {
        code.visitVarInsn(
            ALOAD, ReadGenerator.unitLocal(units.size()) + field - layout.primitiveCount);
      }
    }
    String type = constructor.type().toMethodDescriptorString();
    code.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/invoke/MethodHandle", "invokeExact", type, false);
    code.visitVarInsn(ASTORE, 2);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 3);
    code.visitVarInsn(ALOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "complete", "(ILjava/lang/Object;)V", false);
  }

  /** Ends the object in local 2, whose handle is in local 3, and returns it. */
  private static void endObject(MethodVisitor code) {
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ILOAD, 3);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "end", "(I)V", false);
    code.visitVarInsn(ALOAD, 2);
    code.visitInsn(ARETURN);
    GeneratedClass.finish(code);
  }
}
