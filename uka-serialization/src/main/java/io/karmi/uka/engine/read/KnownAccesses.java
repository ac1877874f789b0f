package io.karmi.uka.engine.read;

import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.FormatReader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Accesses that make whole objects of a type, by its number, and the numbers of the types of boxes;
 * {@link KnownTypes} updates them.
 */
abstract class KnownAccesses {
  private static final @Nullable ObjectAccess[] NO_WHOLES = {};
  private static final @Nullable Class<?>[] NO_CLASSES = {};

  @Nullable ObjectAccess[] wholes = NO_WHOLES;

  /** Classes whose objects make themselves, by the type's number. */
  @Nullable Class<?>[] selfMade = NO_CLASSES;

  /* Numbers of boxes' types; negative as long as none is in use, and always in the JDK's format. */

  /** Type number of {@code Integer} objects in short form. */
  int integers = FormatReader.NOTHING_TAKEN;

  /** Type number of {@code Long} objects in short form. */
  int longs = FormatReader.NOTHING_TAKEN;

  /** Type number of {@code Double} objects. */
  int doubles = FormatReader.NOTHING_TAKEN;

  /** Numbers of the types of arrays of primitives, by the type code of the elements less 'B'. */
  final int[] arrays = new int['Z' - 'B' + 1];

  KnownAccesses() {
    Arrays.fill(arrays, FormatReader.NOTHING_TAKEN);
  }

  /** The access that makes whole objects of a type, or null. */
  final @Nullable ObjectAccess whole(int number) {
    return number < wholes.length ? wholes[number] : null;
  }

  /** What the boxes of the type hold, as in {@code FormatReader.takeTextsAndBoxes}; else 0. */
  final char boxCode(int number) {
    if (number < 0) {
      return 0;
    }
    return number == integers ? 'I' : number == longs ? 'J' : number == doubles ? 'D' : 0;
  }

  /** The class of the type with this number, if its objects make themselves; else null. */
  final @Nullable Class<?> selfMade(int number) {
    return number < selfMade.length ? selfMade[number] : null;
  }

  /** Forgets everything, as numbers may now mean other types or types of another loader. */
  void forget() {
    wholes = NO_WHOLES;
    selfMade = NO_CLASSES;
    integers = FormatReader.NOTHING_TAKEN;
    longs = FormatReader.NOTHING_TAKEN;
    doubles = FormatReader.NOTHING_TAKEN;
    Arrays.fill(arrays, FormatReader.NOTHING_TAKEN);
  }
}
