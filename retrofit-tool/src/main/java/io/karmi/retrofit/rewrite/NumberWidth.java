package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rewrite.WeavingPlan.Field;

/**
 * How wide whole numbers are in an object's block of primitives: what {@code
 * io.karmi.uka.field.NumberWidth} is to the marshalers that are generated at run time.
 */
enum NumberWidth {
  FULL,
  HALF,
  BYTE;

  static boolean isNumber(Field field) {
    return field.descriptor().equals("I") || field.descriptor().equals("J");
  }

  /** Size of a primitive field in the block, in bytes. */
  int sizeOf(Field field) {
    if (this == FULL || !isNumber(field)) {
      return field.bytes();
    }
    return this == HALF ? field.bytes() / 2 : 1;
  }
}
