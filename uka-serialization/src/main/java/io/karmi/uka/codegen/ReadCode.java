package io.karmi.uka.codegen;

import io.karmi.uka.field.BlockLayout;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Emitter of a method that reads the fields of one class. All values wait in local variables while
 * references are read: code that meets the object through a cycle must see no field set, as in the
 * JDK.
 */
public final class ReadCode implements Opcodes {
  private static final String READ = "(I)Ljava/lang/Object;";
  private static final String READ_ARRAY = "(IC)Ljava/lang/Object;";

  private final ClassCode target;
  private final FieldCode fields;
  private final BlockLayout layout;
  private final BlockCode block;

  /* Locals. */
  private final int source;
  private final BufferLocals buffer;
  private final int[] units;
  private final int[] references;

  /**
   * Emitter of one method.
   *
   * @param references number of references
   * @param source local of the source
   * @param free locals that are not in use
   */
  public ReadCode(
      ClassCode target,
      FieldCode fields,
      BlockLayout layout,
      int references,
      int source,
      Locals free) {
    this.target = target;
    this.fields = fields;
    this.layout = layout;
    this.source = source;
    block = new BlockCode(target, fields, layout, "");
    buffer = BufferLocals.in(free);
    units = new int[block.units.size()];
    for (int i = 0; i < units.length; i++) {
      units[i] = block.units.get(i).isLong() ? free.wide() : free.single();
    }
    this.references = new int[references];
    for (int i = 0; i < references; i++) {
      this.references[i] = free.single();
    }
  }

  /** Loads the buffer, and makes sure that the block has arrived. */
  void openBlock(MethodVisitor code) {
    if (layout.bytes > 0) {
      buffer.openInput(code, source, layout.bytes);
    }
  }

  /** Advances the buffer behind the block. */
  void closeBlock(MethodVisitor code) {
    if (layout.bytes > 0) {
      buffer.close(code, BufferLocals.INPUT, layout.bytes);
    }
  }

  /** Reads the primitives to locals. */
  public void readBlock(MethodVisitor code) {
    openBlock(code);
    loadBlock(code);
  }

  /** Reads the primitives to locals, of a block that has been opened. */
  void loadBlock(MethodVisitor code) {
    for (int i = 0; i < units.length; i++) {
      block.units.get(i).emitLoad(code, target, buffer.array(), buffer.position(), units[i]);
    }
    closeBlock(code);
  }

  /**
   * Reads the references to locals.
   *
   * @param handle local of the object's handle
   */
  public void readReferences(MethodVisitor code, int handle) {
    for (int i = 0; i < references.length; i++) {
      int index = layout.codes.length() + i;
      if (!fields.isPresent(index)) {
        code.visitVarInsn(ALOAD, source);
        code.visitMethodInsn(INVOKEVIRTUAL, ClassCode.SOURCE, "skipReference", "()V", false);
        continue;
      }
      if (fields.isOwnKind(index)) {
        target.readOwnKind(code, source, handle);
      } else {
        code.visitVarInsn(ALOAD, source);
        code.visitVarInsn(ILOAD, handle);
        readOther(code, fields.descriptor(index));
      }
      code.visitVarInsn(ASTORE, references[i]);
    }
  }

  private static void readOther(MethodVisitor code, String descriptor) {
    if (descriptor.length() == 2 && descriptor.charAt(0) == '[') {
      Push.number(code, descriptor.charAt(1));
      code.visitMethodInsn(INVOKEVIRTUAL, ClassCode.SOURCE, "readArray", READ_ARRAY, false);
    } else {
      code.visitMethodInsn(INVOKEVIRTUAL, ClassCode.SOURCE, reading(descriptor), READ, false);
    }
  }

  /** The method of the source that reads what a field of this type refers to. */
  private static String reading(String descriptor) {
    return switch (descriptor) {
      case "Ljava/lang/String;" -> "readString";
      case "Ljava/lang/Integer;" -> "readInteger";
      case "Ljava/lang/Long;" -> "readLong";
      case "Ljava/lang/Double;" -> "readDouble";
      default -> "readReference";
    };
  }

  /** Moves the primitives to an object by the class's methods of this name. */
  void setBlock(MethodVisitor code, int object, String method) {
    new BlockCode(target, fields, layout, method)
        .call(code, object, buffer.array(), buffer.position());
    closeBlock(code);
  }

  /** Local of a reference that has been read. */
  public int reference(int index) {
    return references[index];
  }

  /** Sets the fields of the object in a local to what has been read. */
  public void setFields(MethodVisitor code, int object) {
    for (int i = 0; i < units.length; i++) {
      block.units.get(i).emitSet(code, fields, object, units[i]);
    }
    for (int i = 0; i < references.length; i++) {
      int index = layout.codes.length() + i;
      if (fields.isPresent(index)) {
        int local = references[i];
        fields.store(code, index, object, () -> pushReference(code, index, local));
      }
    }
  }

  private void pushReference(MethodVisitor code, int index, int local) {
    code.visitVarInsn(ALOAD, local);
    if (fields.namesTypes()) {
      String type = Type.getType(fields.descriptor(index)).getInternalName();
      code.visitTypeInsn(CHECKCAST, type);
    }
  }

  void pushValue(MethodVisitor code, int index) {
    if (index >= layout.codes.length()) {
      code.visitVarInsn(ALOAD, references[index - layout.codes.length()]);
      return;
    }
    for (int i = 0; i < units.length; i++) {
      if (block.units.get(i).contains(index)) {
        block.units.get(i).emitValue(code, index, units[i]);
      }
    }
  }
}
