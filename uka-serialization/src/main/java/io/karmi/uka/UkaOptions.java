package io.karmi.uka;

import io.karmi.uka.platform.Permitted;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Options of a stream. Immutable.
 *
 * <p>System properties set the defaults, which are asked for when a stream is made: {@code
 * uka.format=uka|jdk} and {@code uka.types=full|slim}.
 *
 * @param format what an output stream writes; an input stream goes by the header it finds, and by
 *     this if a program writes and reads headers of its own
 * @param types how an output stream writes classes; an input stream reads both, unless {@code FULL}
 *     is what a program or the system property has said to it
 */
public record UkaOptions(Format format, Types types) {
  /** Wire formats. */
  public enum Format {
    /** The slim format of this library. */
    UKA,
    /** The format of {@code java.io.ObjectOutputStream}, byte for byte. */
    JDK
  }

  /** Encodings of a class that the reader has not met yet (paper 3.2). */
  public enum Types {
    /** Name, version and fields, so that another version of the class can read the objects. */
    FULL,
    /**
     * Name and fingerprint, for readers that have the same classes; others get an {@link
     * java.io.InvalidClassException}. The JDK's format has no such thing.
     */
    SLIM
  }

  private static final UkaOptions DEFAULT = new UkaOptions(Format.UKA, Types.FULL);

  /** This format, with classes in full. */
  public UkaOptions(Format format) {
    this(format, Types.FULL);
  }

  /**
   * The defaults as the system properties have them now.
   *
   * @throws IllegalArgumentException if a property has a value that is none of its choices
   */
  public static UkaOptions fromSystemProperties() {
    return Permitted.isNeeded()
        ? Permitted.get(UkaOptions::ofSystemProperties)
        : ofSystemProperties();
  }

  /** Whether the system property says {@code full}, which is more than saying nothing. */
  static boolean wantsFullTypes() {
    String types =
        Permitted.isNeeded()
            ? Permitted.get(() -> System.getProperty("uka.types"))
            : System.getProperty("uka.types");
    return choose(Types.class, "uka.types", types, Types.SLIM) == Types.FULL;
  }

  private static UkaOptions ofSystemProperties() {
    String format = System.getProperty("uka.format");
    String types = System.getProperty("uka.types");
    if (format == null && types == null) {
      return DEFAULT;
    }
    return new UkaOptions(
        choose(Format.class, "uka.format", format, Format.UKA),
        choose(Types.class, "uka.types", types, Types.FULL));
  }

  private static <E extends Enum<E>> E choose(
      Class<E> choices, String property, @Nullable String value, E otherwise) {
    if (value == null) {
      return otherwise;
    }
    for (E choice : choices.getEnumConstants()) {
      if (choice.name().equalsIgnoreCase(value)) {
        return choice;
      }
    }
    String names = java.util.Arrays.toString(choices.getEnumConstants()).toLowerCase(Locale.ROOT);
    throw new IllegalArgumentException(property + "=" + value + " is none of " + names);
  }
}
