package io.karmi.uka.type;

/**
 * Description of one serializable field in a stream.
 *
 * @param code type code: one of {@code BCDFIJSZ}, {@code L} for a class or {@code [} for an array
 * @param name the field's name
 * @param signature its type as in a class file, such as {@code I} or {@code Ljava/lang/String;}
 */
public record FieldDescription(char code, String name, String signature) {
  /* Explicit, as a record's own methods are assembled of method handles when first called. */

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldDescription field
        && code == field.code
        && name.equals(field.name)
        && signature.equals(field.signature);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + signature.hashCode();
  }

  /** Whether the field's value is in the block of primitives. */
  public boolean isPrimitive() {
    return code != 'L' && code != '[';
  }

  /** Size of the field in the block of primitives, in bytes; 0 for a reference. */
  public int lengthBytes() {
    return switch (code) {
      case 'Z', 'B' -> 1;
      case 'C', 'S' -> 2;
      case 'I', 'F' -> 4;
      case 'J', 'D' -> 8;
      default -> 0;
    };
  }

  /** Whether a field of this type code and signature can exist. */
  public static boolean isValid(char code, String signature) {
    return switch (code) {
      case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z' ->
          signature.length() == 1 && signature.charAt(0) == code;
      case 'L', '[' -> !signature.isEmpty() && signature.charAt(0) == code;
      default -> false;
    };
  }
}
