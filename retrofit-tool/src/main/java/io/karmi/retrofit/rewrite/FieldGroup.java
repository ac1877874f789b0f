package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rewrite.WeavingPlan.Field;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.InstructionAdapter;

/**
 * Adjacent primitive fields that together fill 1, 2, 4 or 8 bytes and move in one store or load, as
 * in the marshalers that are generated at run time: one access for each field would cost the JIT
 * its budget for inlining.
 */
final class FieldGroup {
  /** Has a handle for each type. */
  static final String BLOCK = "io/karmi/uka/platform/PrimitiveBlock";

  static final String LONGS = "LONGS";
  static final String HANDLE = "java/lang/invoke/VarHandle";
  private static final int LONGEST = 8;

  private final List<Field> fields;
  private final int offset;
  private final NumberWidth width;
  private final int bytes;

  private FieldGroup(List<Field> fields, int offset, NumberWidth width) {
    this.fields = fields;
    this.offset = offset;
    this.width = width;
    bytes = sum(fields, width);
  }

  /** The groups of these fields, which stand one behind the other. */
  static List<FieldGroup> of(List<Field> primitives, NumberWidth width) {
    List<FieldGroup> groups = new ArrayList<>();
    int offset = 0;
    for (int first = 0; first < primitives.size(); ) {
      int end = endOfGroup(primitives, first, width);
      FieldGroup group = new FieldGroup(primitives.subList(first, end), offset, width);
      groups.add(group);
      offset += group.bytes;
      first = end;
    }
    return groups;
  }

  private static int endOfGroup(List<Field> primitives, int first, NumberWidth width) {
    int best = first + 1;
    for (int end = first + 1; end <= primitives.size(); end++) {
      int size = sum(primitives.subList(first, end), width);
      if (size > LONGEST) {
        break;
      }
      if (Integer.bitCount(size) == 1) {
        best = end;
      }
    }
    return best;
  }

  private static int sum(List<Field> fields, NumberWidth width) {
    int sum = 0;
    for (Field field : fields) {
      sum += width.sizeOf(field);
    }
    return sum;
  }

  /** Fields of {@code this} to the array in one local, at the position in another. */
  void store(InstructionAdapter code, Type owner, int array, int position) {
    pushHandle(code);
    pushAddress(code, array, position);
    int shift = 0;
    for (Field field : fields) {
      code.load(0, owner);
      code.getfield(owner.getInternalName(), field.name(), field.descriptor());
      pushBits(code, field);
      if (shift > 0) {
        code.iconst(shift);
        code.shl(type());
        code.or(type());
      }
      shift += Byte.SIZE * width.sizeOf(field);
    }
    if (bytes == 1) {
      code.astore(Type.BYTE_TYPE);
      return;
    }
    code.cast(type(), unit());
    code.invokevirtual(HANDLE, "set", "([BI" + unit() + ")V", false);
  }

  /** The bytes of the group to a local of their own. */
  void load(InstructionAdapter code, int array, int position, int local) {
    pushHandle(code);
    pushAddress(code, array, position);
    if (bytes == 1) {
      code.aload(Type.BYTE_TYPE);
    } else {
      code.invokevirtual(HANDLE, "get", "([BI)" + unit(), false);
    }
    code.store(local, type());
  }

  /** What {@link #load} loaded to the fields of {@code this}; numbers have full width. */
  void assign(InstructionAdapter code, Type owner, int local) {
    int shift = 0;
    for (Field field : fields) {
      code.load(0, owner);
      code.load(local, type());
      if (shift > 0) {
        code.iconst(shift);
        code.ushr(type());
      }
      if (isLong() && field.bytes() < LONGEST) {
        code.cast(Type.LONG_TYPE, Type.INT_TYPE);
      }
      narrow(code, field.descriptor().charAt(0));
      code.putfield(owner.getInternalName(), field.name(), field.descriptor());
      shift += Byte.SIZE * width.sizeOf(field);
    }
  }

  /** What stores and loads so many bytes; single ones need nothing. */
  private void pushHandle(InstructionAdapter code) {
    if (bytes > 1) {
      String handle = isLong() ? LONGS : bytes == Integer.BYTES ? "INTS" : "SHORTS";
      code.getstatic(BLOCK, handle, "L" + HANDLE + ";");
    }
  }

  private void pushAddress(InstructionAdapter code, int array, int position) {
    code.load(array, Type.getType(byte[].class));
    code.load(position, Type.INT_TYPE);
    code.iconst(offset);
    code.add(Type.INT_TYPE);
  }

  /** Makes the field's value on the stack the low bits of the group's type. */
  private void pushBits(InstructionAdapter code, Field field) {
    switch (field.descriptor()) {
      case "F" -> code.invokestatic("java/lang/Float", "floatToRawIntBits", "(F)I", false);
      case "D" -> code.invokestatic("java/lang/Double", "doubleToRawLongBits", "(D)J", false);
      default -> {}
    }
    Type has = field.bytes() == LONGEST ? Type.LONG_TYPE : Type.INT_TYPE;
    code.cast(has, type());
    int size = width.sizeOf(field);
    if (size == bytes) {
      return;
    }
    if (isLong()) {
      code.lconst((1L << Byte.SIZE * size) - 1);
    } else {
      code.iconst((1 << Byte.SIZE * size) - 1);
    }
    code.and(type());
  }

  private static void narrow(InstructionAdapter code, char descriptor) {
    switch (descriptor) {
      case 'Z' -> nonZero(code);
      case 'B' -> code.cast(Type.INT_TYPE, Type.BYTE_TYPE);
      case 'S' -> code.cast(Type.INT_TYPE, Type.SHORT_TYPE);
      case 'C' -> code.cast(Type.INT_TYPE, Type.CHAR_TYPE);
      case 'F' -> code.invokestatic("java/lang/Float", "intBitsToFloat", "(I)F", false);
      case 'D' -> code.invokestatic("java/lang/Double", "longBitsToDouble", "(J)D", false);
      default -> {}
    }
  }

  /** Any byte but 0 is true; without a branch, so that no stack map is needed. */
  private static void nonZero(InstructionAdapter code) {
    code.cast(Type.INT_TYPE, Type.BYTE_TYPE);
    code.visitInsn(Opcodes.DUP);
    code.visitInsn(Opcodes.INEG);
    code.visitInsn(Opcodes.IOR);
    code.iconst(31);
    code.visitInsn(Opcodes.IUSHR);
  }

  private boolean isLong() {
    return bytes == LONGEST;
  }

  private Type type() {
    return isLong() ? Type.LONG_TYPE : Type.INT_TYPE;
  }

  /** The type of so many bytes. */
  private Type unit() {
    return switch (bytes) {
      case 2 -> Type.SHORT_TYPE;
      case 4 -> Type.INT_TYPE;
      default -> Type.LONG_TYPE;
    };
  }
}
