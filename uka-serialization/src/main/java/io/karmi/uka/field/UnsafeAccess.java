package io.karmi.uka.field;

import io.karmi.uka.platform.UnsafeMethods;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** Access by methods of one of the JDK's two Unsafe classes, for the first objects of classes. */
public final class UnsafeAccess extends FieldwiseAccess {
  private final UnsafeMethods unsafe;
  private final long[] offsets;

  private UnsafeAccess(
      FieldLayout layout, UnsafeMethods unsafe, long[] offsets, boolean provisional) {
    super(layout, provisional);
    this.unsafe = unsafe;
    this.offsets = offsets;
  }

  /**
   * Access to these fields.
   *
   * @param provisional whether it is replaced once it has been used often
   * @throws ReflectiveOperationException if the fields have no offsets
   */
  public static UnsafeAccess open(FieldLayout layout, UnsafeMethods unsafe, boolean provisional)
      throws ReflectiveOperationException {
    if (layout.declaring.isRecord() || layout.declaring.isHidden()) {
      throw new IllegalAccessException("fields of records and hidden classes have no offset");
    }
    long[] offsets = new long[layout.fields.length];
    for (int i = 0; i < offsets.length; i++) {
      Field field = layout.fields[i];
      offsets[i] = field == null ? -1 : unsafe.offset(field);
    }
    return new UnsafeAccess(layout, unsafe, offsets, provisional);
  }

  @Override
  public long bits(Object object, int field) {
    return unsafe.get(object, offsets[field], layout.codes[field]);
  }

  @Override
  public void setBits(Object object, int field, long bits) {
    boolean flag = layout.codes[field] == 'Z';
    unsafe.put(object, offsets[field], layout.codes[field], flag && (byte) bits != 0 ? 1 : bits);
  }

  @Override
  public @Nullable Object getReference(Object object, int index) {
    return layout.reference(index) == null
        ? null
        : unsafe.getReference(object, offsets[layout.primitiveCount + index]);
  }

  @Override
  public void setReference(Object object, int index, @Nullable Object value) {
    checkReference(object, index, value);
    if (layout.reference(index) != null) {
      unsafe.putReference(object, offsets[layout.primitiveCount + index], value);
    }
  }
}
