package io.karmi.uka.codegen;

import io.karmi.uka.field.BlockLayout;
import io.karmi.uka.platform.GeneratedClass;
import java.util.List;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Emitter of the methods that move the primitives of one class as a block. */
final class BlockCode {
  /** Units per method, which C2 can then inline. */
  static final int UNITS_PER_METHOD = 8;

  final List<BlockUnit> units;
  private final ClassCode target;
  private final FieldCode fields;
  private final String method;

  /**
   * @param method name of the methods, followed by the number of their first unit
   */
  BlockCode(ClassCode target, FieldCode fields, BlockLayout layout, String method) {
    this.target = target;
    this.fields = fields;
    this.method = method;
    units = BlockUnit.split(layout);
  }

  /** Adds the methods that move the primitives of an object to an array. */
  void defineGetters() {
    /* Locals: 0 object, 1 array, 2 position. */
    for (int first = 0; first < units.size(); first += UNITS_PER_METHOD) {
      MethodVisitor code = target.beginPart(method + first, descriptor());
      for (BlockUnit unit : unitsOf(first)) {
        unit.emitGet(code, target, fields, 0, 1, 2);
      }
      GeneratedClass.end(code);
    }
  }

  /** Adds the methods that move the primitives of an object from an array. */
  void defineSetters() {
    /* Locals: 0 object, 1 array, 2 position, 3 the unit's bytes. */
    for (int first = 0; first < units.size(); first += UNITS_PER_METHOD) {
      MethodVisitor code = target.beginPart(method + first, descriptor());
      for (BlockUnit unit : unitsOf(first)) {
        unit.emitLoad(code, target, 1, 2, 3);
        unit.emitSet(code, fields, 0, 3);
      }
      GeneratedClass.end(code);
    }
  }

  /** Calls the methods, with these locals. */
  void call(MethodVisitor code, int object, int array, int position) {
    for (int first = 0; first < units.size(); first += UNITS_PER_METHOD) {
      code.visitVarInsn(Opcodes.ALOAD, object);
      code.visitVarInsn(Opcodes.ALOAD, array);
      code.visitVarInsn(Opcodes.ILOAD, position);
      target.callPart(code, method + first, descriptor());
    }
  }

  /** Moves the primitives to the array without a method. */
  void getInPlace(MethodVisitor code, int object, BufferLocals buffer) {
    for (BlockUnit unit : units) {
      unit.emitGet(code, target, fields, object, buffer.array(), buffer.position());
    }
  }

  private List<BlockUnit> unitsOf(int first) {
    return units.subList(first, Math.min(first + UNITS_PER_METHOD, units.size()));
  }

  private String descriptor() {
    return "(" + fields.objectDescriptor() + "[BI)V";
  }
}
