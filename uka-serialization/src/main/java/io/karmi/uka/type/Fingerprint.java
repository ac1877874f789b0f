package io.karmi.uka.type;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Fingerprint of a class's serial form in 64 bits, for slim types (paper 3.2).
 *
 * <p>It is the first eight bytes, big-endian, of the SHA-256 hash of this text in UTF-8, in which a
 * line ends with a line feed: for the class and each serializable superclass, in this order, a line
 * of name, serialVersionUID and flags in decimal, separated by blanks; then per field, in canonical
 * order, a line of signature and name, separated by a blank.
 */
public final class Fingerprint {
  private static final ClassValue<Long> FINGERPRINTS =
      new ClassValue<>() {
        @Override
        protected Long computeValue(Class<?> type) {
          return compute(LocalClass.of(type));
        }
      };

  private Fingerprint() {}

  /** The fingerprint of a class of this JVM. */
  public static long of(LocalClass type) {
    return FINGERPRINTS.get(type.type);
  }

  private static long compute(LocalClass type) {
    StringBuilder text = new StringBuilder();
    for (LocalClass level = type; level != null; level = level.superclass) {
      ClassDescription description = level.description();
      text.append(description.name).append(' ').append(description.serialVersionUid);
      text.append(' ').append(description.flags).append('\n');
      for (FieldDescription field : description.fields) {
        text.append(field.signature()).append(' ').append(field.name()).append('\n');
      }
    }
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] hash = digest.digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(hash).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
