package io.karmi.uka.access;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.FieldLayout;
import java.io.InvalidClassException;
import org.jspecify.annotations.Nullable;

/**
 * Provisional access that replaces itself when it has been used often, for code that keeps it in a
 * constant.
 */
final class UpgradingAccess extends FieldAccess {
  private volatile FieldAccess current;

  private UpgradingAccess(FieldLayout layout, FieldAccess first) {
    withLayout(layout);
    current = first;
  }

  /**
   * Access to these fields.
   *
   * @throws InvalidClassException if no strategy reaches them
   */
  static FieldAccess open(FieldLayout layout) throws InvalidClassException {
    FieldAccess first = AccessStrategy.openFirst(layout);
    return first.isProvisional() ? new UpgradingAccess(layout, first) : first;
  }

  private FieldAccess current() {
    FieldAccess access = current;
    return access.isDue() ? better(access) : access;
  }

  private FieldAccess better(FieldAccess provisional) {
    FieldAccess better;
    try {
      better = AccessStrategy.open(layout);
    } catch (InvalidClassException e) {
      better = provisional; // it counts on, and asks again next time
    }
    current = better;
    return better;
  }

  @Override
  public void getPrimitives(Object object, byte[] bytes, int position) {
    current().getPrimitives(object, bytes, position);
  }

  @Override
  public void setPrimitives(Object object, byte[] bytes, int position) {
    current().setPrimitives(object, bytes, position);
  }

  @Override
  public @Nullable Object getReference(Object object, int index) {
    return current().getReference(object, index);
  }

  @Override
  public void setReference(Object object, int index, @Nullable Object value) {
    current().setReference(object, index, value);
  }
}
