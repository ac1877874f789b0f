package io.karmi.uka.marshal.access;

import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where the serializable fields of one class level lie in its block of primitives and in its list
 * of references.
 *
 * <p>Fields are in canonical order, primitives first. A field that the stream describes and the
 * local class lacks has a type code but no {@link Field}: it takes its place in the block, reads as
 * zero, and is skipped when set.
 */
final class FieldLayout {
  final Class<?> declaring;
  final char[] codes;
  final @Nullable Field[] fields;

  /** Offset of each primitive field in the block, in bytes. */
  final int[] offsets;

  final int primitiveCount;

  /** Type codes of the primitives. */
  final String primitives;

  final int primitiveBytes;
  final ByteOrder order;

  /** Of the block's whole numbers. */
  final NumberWidth width;

  /** Whether these fields make an object in a stream; else they are asked for one by one. */
  final boolean whole;

  FieldLayout(Class<?> declaring, char[] codes, @Nullable Field[] fields, ByteOrder order) {
    this(declaring, codes, fields, order, NumberWidth.FULL);
  }

  FieldLayout(
      Class<?> declaring,
      char[] codes,
      @Nullable Field[] fields,
      ByteOrder order,
      NumberWidth width) {
    this(declaring, codes, fields, order, width, true);
  }

  FieldLayout(
      Class<?> declaring,
      char[] codes,
      @Nullable Field[] fields,
      ByteOrder order,
      NumberWidth width,
      boolean whole) {
    this.declaring = declaring;
    this.codes = codes;
    this.fields = fields;
    this.order = order;
    this.width = width;
    this.whole = whole;
    offsets = new int[codes.length];
    int count = 0;
    int offset = 0;
    while (count < codes.length && isPrimitive(codes[count])) {
      offsets[count] = offset;
      offset += width.sizeOf(codes[count++]);
    }
    primitiveCount = count;
    primitives = new String(codes, 0, count);
    primitiveBytes = offset;
    for (int i = count; i < codes.length; i++) {
      if (isPrimitive(codes[i])) {
        throw new IllegalArgumentException(
            "primitive field " + i + " of " + declaring.getName() + " follows a reference");
      }
    }
  }

  FieldLayout withWidth(NumberWidth other) {
    return other == width ? this : new FieldLayout(declaring, codes, fields, order, other, whole);
  }

  /** Whether the block can be narrower than it is. */
  boolean canBeNarrower() {
    return width == NumberWidth.FULL
        && order == ByteOrder.LITTLE_ENDIAN
        && (primitives.indexOf('I') >= 0 || primitives.indexOf('J') >= 0);
  }

  /** Width of a primitive in the block, in bytes. */
  int sizeOf(int index) {
    return width.sizeOf(codes[index]);
  }

  int referenceCount() {
    return codes.length - primitiveCount;
  }

  /** The local field behind a reference, or null. */
  @Nullable Field reference(int index) {
    return fields[primitiveCount + index];
  }

  boolean isAssignable(int index, @Nullable Object value) {
    Field field = reference(index);
    return value == null || field == null || field.getType().isInstance(value);
  }

  /**
   * What is wrong with a value that is not assignable, so that neither it nor the field is null.
   */
  ClassCastException mismatch(Object object, int index, @Nullable Object value) {
    Field field = Objects.requireNonNull(reference(index));
    return new ClassCastException(
        "cannot assign instance of "
            + Objects.requireNonNull(value).getClass().getName()
            + " to field "
            + field.getDeclaringClass().getName()
            + "."
            + field.getName()
            + " of type "
            + field.getType().getName()
            + " in instance of "
            + object.getClass().getName());
  }

  static boolean isPrimitive(char code) {
    return code != 'L' && code != '[';
  }

  /** Full width of a primitive in bytes. */
  static int sizeOf(char code) {
    return switch (code) {
      case 'Z', 'B' -> 1;
      case 'C', 'S' -> 2;
      case 'I', 'F' -> 4;
      case 'J', 'D' -> 8;
      default -> throw new IllegalArgumentException("not the type code of a primitive: " + code);
    };
  }

  static char codeOf(Class<?> type) {
    char code = type.descriptorString().charAt(0);
    return code == '[' ? 'L' : code;
  }
}
