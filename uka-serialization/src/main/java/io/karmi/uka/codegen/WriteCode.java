package io.karmi.uka.codegen;

import io.karmi.uka.field.BlockLayout;
import io.karmi.uka.field.NumberWidth;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Emitter of a method that writes the fields of one class. */
public final class WriteCode implements Opcodes {
  /** Name of the methods that move the primitives, followed by the number of their first unit. */
  static final String GETTERS = "getPrimitives";

  private static final String STRING = "Ljava/lang/String;";

  private final ClassCode target;
  private final FieldCode fields;
  private final BlockLayout layout;

  /* Locals. */
  final int sink;
  final int object;
  final int opening;
  final BufferLocals buffer;
  private final Locals free;
  private final int value;

  /**
   * Emitter of one method.
   *
   * @param sink local of the sink
   * @param object local of the object
   * @param opening local of the opening, with the number of its bytes behind it
   * @param free locals that are not in use
   */
  public WriteCode(
      ClassCode target,
      FieldCode fields,
      BlockLayout layout,
      int sink,
      int object,
      int opening,
      Locals free) {
    this.target = target;
    this.fields = fields;
    this.layout = layout;
    this.sink = sink;
    this.object = object;
    this.opening = opening;
    this.free = free;
    buffer = BufferLocals.in(free);
    value = free.single();
  }

  /**
   * Writes opening and primitives.
   *
   * @param opened whether there is an opening
   * @param defined whether the class has the methods that move primitives
   */
  public void writeBlock(MethodVisitor code, boolean opened, boolean defined) {
    buffer.openOutput(code, sink, (opened ? Long.BYTES : 0) + layout.bytes);
    Label written = new Label();
    boolean narrow = opened && layout.canBeNarrower();
    if (narrow) {
      new NarrowCode(this, target, fields, layout, free).write(code, written);
    }
    if (opened) {
      writeOpening(code, NumberWidth.FULL);
    }
    BlockCode block = new BlockCode(target, fields, layout, GETTERS);
    if (defined || block.units.size() > BlockCode.UNITS_PER_METHOD) {
      block.call(code, object, buffer.array(), buffer.position());
    } else {
      block.getInPlace(code, object, buffer);
    }
    if (!defined && block.units.size() > BlockCode.UNITS_PER_METHOD) {
      block.defineGetters();
    }
    buffer.close(code, BufferLocals.OUTPUT, layout.bytes);
    if (narrow) {
      target.join(code, written, false);
    }
  }

  /** Stores eight bytes of the opening, with the ordinal of the width added to the token. */
  void writeOpening(MethodVisitor code, NumberWidth width) {
    target.bytes.begin(code, Long.BYTES);
    code.visitVarInsn(ALOAD, buffer.array());
    code.visitVarInsn(ILOAD, buffer.position());
    code.visitVarInsn(LLOAD, opening);
    if (width != NumberWidth.FULL) {
      Push.number(code, (long) width.ordinal());
      code.visitInsn(LADD);
    }
    target.bytes.store(code, Long.BYTES);
    code.visitVarInsn(ILOAD, buffer.position());
    code.visitVarInsn(ILOAD, openingBytes());
    code.visitInsn(IADD);
    code.visitVarInsn(ISTORE, buffer.position());
  }

  private int openingBytes() {
    return opening + 2;
  }

  /** Writes the reference of the field with this index. */
  public void writeReference(MethodVisitor code, int index) {
    if (fields.isPresent(index) && fields.isOwnKind(index)) {
      writeOwnKind(code, index);
      return;
    }
    code.visitVarInsn(ALOAD, sink);
    if (!fields.isPresent(index)) {
      code.visitInsn(ACONST_NULL);
      call(code, "writeReference", "(Ljava/lang/Object;)V");
      return;
    }
    fields.load(code, index, object);
    if (fields.descriptor(index).equals(STRING)) {
      if (!fields.namesTypes()) {
        code.visitTypeInsn(CHECKCAST, "java/lang/String");
      }
      call(code, "writeString", "(Ljava/lang/String;)V");
    } else if (fields.isExact(index)) {
      fields.pushExactClass(code, index);
      call(code, "writeExact", "(Ljava/lang/Object;Ljava/lang/Class;I)V");
    } else {
      call(code, "writeReference", "(Ljava/lang/Object;)V");
    }
  }

  private static void call(MethodVisitor code, String method, String descriptor) {
    code.visitMethodInsn(INVOKEVIRTUAL, ClassCode.SINK, method, descriptor, false);
  }

  /**
   * Writes an object of the same class by the method itself, with the same opening, if there is
   * one.
   */
  private void writeOwnKind(MethodVisitor code, int index) {
    Label other = new Label();
    Label end = new Label();
    fields.load(code, index, object);
    code.visitVarInsn(ASTORE, value);
    code.visitVarInsn(ALOAD, value);
    code.visitJumpInsn(IFNULL, other);
    code.visitVarInsn(ILOAD, openingBytes());
    code.visitJumpInsn(IFEQ, other);
    pushClassOf(code, value);
    pushClassOf(code, object);
    code.visitJumpInsn(IF_ACMPNE, other);
    target.enterIfNew(code, sink, value);
    code.visitJumpInsn(IFEQ, end);
    target.writeSelf(code, value, sink, opening);
    code.visitVarInsn(ALOAD, sink);
    call(code, "leave", "()V");
    code.visitJumpInsn(GOTO, end);
    target.join(code, other, true);
    callWithValue(code, "writeReference", "(Ljava/lang/Object;)V");
    target.join(code, end, true);
  }

  private static void pushClassOf(MethodVisitor code, int local) {
    code.visitVarInsn(ALOAD, local);
    code.visitMethodInsn(
        INVOKEVIRTUAL, "java/lang/Object", "getClass", "()Ljava/lang/Class;", false);
  }

  private void callWithValue(MethodVisitor code, String method, String descriptor) {
    code.visitVarInsn(ALOAD, sink);
    code.visitVarInsn(ALOAD, value);
    call(code, method, descriptor);
  }
}
