package io.karmi.uka.field;

import io.karmi.uka.platform.TypeCode;
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
public final class FieldLayout {
  public final Class<?> declaring;
  public final char[] codes;
  public final @Nullable Field[] fields;

  /** The primitives among the fields. */
  public final BlockLayout block;

  public final int primitiveCount;
  public final int primitiveBytes;

  /** Whether these fields make an object in a stream; else they are asked for one by one. */
  public final boolean whole;

  public FieldLayout(Class<?> declaring, char[] codes, @Nullable Field[] fields, ByteOrder order) {
    this(declaring, codes, fields, order, NumberWidth.FULL);
  }

  public FieldLayout(
      Class<?> declaring,
      char[] codes,
      @Nullable Field[] fields,
      ByteOrder order,
      NumberWidth width) {
    this(declaring, codes, fields, order, width, true);
  }

  public FieldLayout(
      Class<?> declaring,
      char[] codes,
      @Nullable Field[] fields,
      ByteOrder order,
      NumberWidth width,
      boolean whole) {
    this.declaring = declaring;
    this.codes = codes;
    this.fields = fields;
    this.whole = whole;
    int count = 0;
    while (count < codes.length && TypeCode.isPrimitive(codes[count])) {
      count++;
    }
    primitiveCount = count;
    block = new BlockLayout(new String(codes, 0, count), order, width);
    primitiveBytes = block.bytes;
    for (int i = count; i < codes.length; i++) {
      if (TypeCode.isPrimitive(codes[i])) {
        throw new IllegalArgumentException(
            "primitive field " + i + " of " + declaring.getName() + " follows a reference");
      }
    }
  }

  public FieldLayout withWidth(NumberWidth other) {
    return other == block.width
        ? this
        : new FieldLayout(declaring, codes, fields, block.order, other, whole);
  }

  public int referenceCount() {
    return codes.length - primitiveCount;
  }

  /** The local field behind a reference, or null. */
  public @Nullable Field reference(int index) {
    return fields[primitiveCount + index];
  }

  public boolean isAssignable(int index, @Nullable Object value) {
    Field field = reference(index);
    return value == null || field == null || field.getType().isInstance(value);
  }

  /**
   * What is wrong with a value that is not assignable, so that neither it nor the field is null.
   */
  public ClassCastException mismatch(Object object, int index, @Nullable Object value) {
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
}
