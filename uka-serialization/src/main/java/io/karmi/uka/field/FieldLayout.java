package io.karmi.uka.field;

import io.karmi.uka.platform.FinalFields;
import io.karmi.uka.platform.TypeCode;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Layout of the serializable fields of one class, in canonical order: a block of primitives, and
 * then references.
 *
 * <p>A field that only the stream has has a type code and no {@link Field}: it takes its place in
 * the block, reads as zero, and is skipped when set.
 */
public final class FieldLayout {
  public final Class<?> declaring;
  public final char[] codes;
  public final @Nullable Field[] fields;

  /** The primitives among the fields. */
  public final BlockLayout block;

  public final int primitiveCount;
  public final int primitiveBytes;

  /** Whether the fields are moved together, as objects in a stream; else one by one. */
  public final boolean whole;

  /** Whether a final field is set; those of records never are. */
  public final boolean setsFinals;

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
    setsFinals = !declaring.isRecord() && hasFinal(fields);
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

  private static boolean hasFinal(@Nullable Field[] fields) {
    for (Field field : fields) {
      if (field != null && Modifier.isFinal(field.getModifiers())) {
        return true;
      }
    }
    return false;
  }

  public FieldLayout withWidth(NumberWidth other) {
    return other == block.width
        ? this
        : new FieldLayout(declaring, codes, fields, block.order, other, whole);
  }

  /**
   * Checks that {@link Field#setAccessible} lets all fields be set, in silence.
   *
   * @throws IllegalAccessException if one is final and the JDK warns of setting it, or forbids it
   */
  public void requireSettable() throws IllegalAccessException {
    if (!isSettable()) {
      throw new IllegalAccessException("this JDK warns where final fields are set by reflection");
    }
  }

  /** Whether all fields can be set in silence once they are accessible. */
  public boolean isSettable() {
    return !setsFinals || FinalFields.canBeSet();
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

  /** The error for a value that is not assignable. */
  public ClassCastException mismatch(Object object, int index, @Nullable Object value) {
    Field field = Objects.requireNonNull(reference(index));
    return FieldSource.mismatch(
        Objects.requireNonNull(value),
        field.getType(),
        field.getDeclaringClass(),
        field.getName(),
        object);
  }
}
