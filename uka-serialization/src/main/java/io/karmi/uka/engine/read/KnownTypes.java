package io.karmi.uka.engine.read;

import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.Token;
import io.karmi.uka.platform.TypeCode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Table of what reads objects on the fast path, by the number of their type: one look-up in place
 * of three. {@code KnownClasses} is its mirror image.
 */
final class KnownTypes extends KnownAccesses {
  /** Types that are numbered as objects are in the table if their number is less. */
  private static final int MAXIMUM_SHARED = 1 << 10;

  private static final int FEW = 8;
  private static final @Nullable Unmarshaler[] NO_UNMARSHALERS = {};

  private final ReadTypeTable types;

  /** Whether types are numbered as objects. */
  private final boolean shared;

  private @Nullable Unmarshaler[] unmarshalers = NO_UNMARSHALERS;

  KnownTypes(ReadTypeTable types) {
    this.types = types;
    shared = types.isShared();
  }

  ReadTypeTable types() {
    return types;
  }

  /** The unmarshaler of the type with this number; null as long as none is in use. */
  @Nullable Unmarshaler unmarshaler(int number) {
    if (shared) {
      return (Unmarshaler) types.planInUse(number);
    }
    return number < unmarshalers.length ? unmarshalers[number] : null;
  }

  /** Puts the unmarshaler of a type in use, as an object of it has been read. */
  void use(int number) {
    if (shared) {
      useShared(number);
      return;
    }
    ReadType type = types.at(number);
    Unmarshaler known = type == null ? null : unmarshalerOf(type);
    if (type == null || known == null || !known.isSettled()) {
      return;
    }
    if (number >= unmarshalers.length) {
      int length = Math.max(types.size(), 2 * number);
      unmarshalers = Arrays.copyOf(unmarshalers, length);
      wholes = Arrays.copyOf(wholes, length);
      selfMade = Arrays.copyOf(selfMade, length);
    }
    unmarshalers[number] = known;
    wholes[number] = known.whole();
    selfMade[number] = known.selfMade();
    if (known instanceof LeafReader leaves) {
      useLeaves(leaves, number);
    } else if (type.kind() == Token.ARRAY && TypeCode.isPrimitive(type.elementCode())) {
      arrays[type.elementCode() - 'B'] = number;
    }
  }

  /**
   * Keeps the access that makes whole objects of a type, where types are numbered as objects; the
   * type itself knows its plan.
   */
  private void useShared(int number) {
    Unmarshaler known = number < MAXIMUM_SHARED ? (Unmarshaler) types.planInUse(number) : null;
    ObjectAccess whole = known == null || !known.isSettled() ? null : known.whole();
    if (whole != null) {
      if (number >= wholes.length) {
        wholes = Arrays.copyOf(wholes, Math.max(FEW, 2 * number));
      }
      wholes[number] = whole;
    }
  }

  /** The unmarshaler of a type, where arrays and constants begin as objects do. */
  private static @Nullable Unmarshaler unmarshalerOf(ReadType type) {
    return switch (type.kind()) {
      case Token.ARRAY -> type.elementCode() == 0 ? null : new ArrayReader.Direct(type);
      case Token.ENUM -> type.local() == null || !type.isEnum() ? null : new ConstantReader(type);
      default -> (Unmarshaler) type.planInUse();
    };
  }

  private void useLeaves(LeafReader leaves, int number) {
    switch (leaves.kind()) {
      case INTEGER -> integers = number;
      case LONG -> longs = number;
      case DOUBLE -> doubles = number;
      case OTHER -> {}
    }
  }

  @Override
  void forget() {
    super.forget();
    unmarshalers = NO_UNMARSHALERS;
  }
}
