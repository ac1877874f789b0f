package io.karmi.uka.engine.read;

import java.io.InvalidObjectException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Constants of one enum, by their numbers in a stream. */
public final class EnumConstants {
  private static final @Nullable Enum<?>[] NONE = {};

  private final List<String> names = new ArrayList<>();

  /** The local constants by number; null where one is not known yet. */
  private @Nullable Enum<?>[] known = NONE;

  /** The names of the constants in the stream, by number. */
  public List<String> names() {
    return names;
  }

  /** The local constants by number; null where one is not known yet. */
  public @Nullable Enum<?>[] known() {
    return known;
  }

  /** Forgets the local constants: the enum may be another class from now on. */
  void forget() {
    known = NONE;
  }

  /**
   * The constant with this number, which the stream has named.
   *
   * @param type the local enum
   */
  public Enum<?> constant(Class<?> type, int number) throws InvalidObjectException {
    if (number >= known.length) {
      known = Arrays.copyOf(known, Math.max(names.size(), 2 * number));
    }
    String name = names.get(number);
    Enum<?> constant = known[number];
    if (constant == null || !constant.name().equals(name)) {
      known[number] = null;
      constant = constant(type, name);
      known[number] = constant;
    }
    return constant;
  }

  /** The constant of this name. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public static Enum<?> constant(Class<?> type, String name) throws InvalidObjectException {
    try {
      return Enum.valueOf((Class) type, name);
    } catch (IllegalArgumentException e) {
      InvalidObjectException exception =
          new InvalidObjectException("enum constant " + name + " does not exist in " + type);
      exception.initCause(e);
      throw exception;
    }
  }
}
