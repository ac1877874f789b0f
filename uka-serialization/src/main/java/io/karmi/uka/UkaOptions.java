package io.karmi.uka;

import java.util.Locale;

/**
 * What can be chosen for a stream. Immutable.
 *
 * <p>System properties set the defaults, which are asked for when a stream is made: {@code uka.format=uka|jdk}.
 *
 * @param format what an output stream writes; an input stream goes by the header it finds, and by this if a program writes
 *     and reads headers of its own
 */
public record UkaOptions(Format format) {
  /** Wire formats. */
  public enum Format {
    /** The slim format of this library. */
    UKA,
    /** What {@code java.io.ObjectOutputStream} writes, byte for byte. */
    JDK
  }

  /**
   * The defaults as the system properties have them now.
   *
   * @throws IllegalArgumentException if a property has a value that is none of its choices
   */
  public static UkaOptions fromSystemProperties() {
    String format = System.getProperty("uka.format");
    return format == null ? DEFAULT : new UkaOptions(parse(format));
  }

  private static final UkaOptions DEFAULT = new UkaOptions(Format.UKA);

  private static Format parse(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "uka" -> Format.UKA;
      case "jdk" -> Format.JDK;
      default -> throw new IllegalArgumentException(
          "uka.format=" + value + " is neither uka nor jdk");
    };
  }
}
