package io.karmi.uka.codegen;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import io.karmi.uka.platform.GeneratedClass;
import io.karmi.uka.platform.RecordConstructor;
import io.karmi.uka.platform.SunUnsafe;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Generator of the method {@link RunGenerator#MAKE}, which makes an object and reads it. */
final class MakeGenerator implements Opcodes {
  private static final String SOURCE = ClassCode.SOURCE;
  private static final String READ_ONLY = "(L" + SOURCE + ";Ljava/lang/Object;I)V";

  private final AccessCode generator;
  private final FieldLayout layout;
  private final HiddenFieldCode fields;
  private final ReadGenerator reading;

  MakeGenerator(
      AccessCode generator, FieldLayout layout, HiddenFieldCode fields, ReadGenerator reading) {
    this.generator = generator;
    this.layout = layout;
    this.fields = fields;
    this.reading = reading;
  }

  /* Locals of make: 1 source, 2 object, 3 handle. */

  private void allocate(MethodVisitor code) {
    allocate(code, 2);
  }

  /** Stores a new object, none of whose fields is set, in a local. */
  void allocate(MethodVisitor code, int object) {
    fields.pushConstant(code, SunUnsafe.allocator(layout.declaring), MethodHandle.class);
    GeneratedClass.invokeExact(code, "()Ljava/lang/Object;");
    code.visitVarInsn(ASTORE, object);
  }

  /**
   * An object that refers to no other gets its handle when it is complete, so that the JIT need not
   * fill it with zeros.
   */
  void leaf() {
    MethodVisitor code = generator.method(ACC_PRIVATE, RunGenerator.MAKE, RunGenerator.MAKES);
    Locals free = new Locals(4);
    int object = free.single();
    ReadCode filling = reading.reading(free);
    filling.openBlock(code);
    allocate(code);
    generator.pushObject(code, 2);
    code.visitVarInsn(ASTORE, object);
    filling.setBlock(code, object, AccessCode.SETTERS);
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
   * @param inPlace whether to repeat the code of {@link FieldAccess#read} here: the JIT does not
   *     inline that once it is compiled to something large, as it mostly is for linked objects
   */
  void object(MethodVisitor code, boolean inPlace) {
    allocate(code);
    code.visitVarInsn(ALOAD, 1);
    code.visitVarInsn(ALOAD, 2);
    code.visitMethodInsn(INVOKEVIRTUAL, SOURCE, "begin", "(Ljava/lang/Object;)I", false);
    code.visitVarInsn(ISTORE, 3);
    if (inPlace) {
      Locals free = new Locals(4);
      int object = generator.castObject(code, 2, free);
      ReadCode filling = reading.reading(free);
      filling.openBlock(code);
      reading.fill(code, filling, object, false);
    } else {
      code.visitVarInsn(ALOAD, 0);
      code.visitVarInsn(ALOAD, 1);
      code.visitVarInsn(ALOAD, 2);
      code.visitVarInsn(ILOAD, 3);
      code.visitMethodInsn(INVOKEVIRTUAL, generator.name, "read", READ_ONLY, false);
    }
    endObject(code);
  }

  /** Makes a record; false if that is not possible. */
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
    ReadCode components = reading.reading(new Locals(4));
    components.readBlock(code);
    Label lost = new Label();
    components.readReferences(code, 3);
    if (layout.referenceCount() > 0) {
      ReadGenerator.endIfLost(code, lost);
    }
    construct(code, components, constructor.direct(), sources);
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

  private void construct(
      MethodVisitor code, ReadCode components, MethodHandle constructor, int[] sources) {
    fields.pushConstant(code, constructor, MethodHandle.class);
    for (int field : sources) {
      components.pushValue(code, field);
    }
    GeneratedClass.invokeExact(code, constructor.type().toMethodDescriptorString());
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
