package io.karmi.uka;

import io.karmi.settings.Settings;
import io.karmi.settings.SettingsCheck;
import io.karmi.uka.platform.Permitted;
import org.jspecify.annotations.Nullable;

/**
 * Options of a stream. Immutable.
 *
 * <p>System properties set the defaults, which are asked for when a stream is made: {@code
 * uka.format=uka|jdk} and {@code uka.types=full|slim}. Where they say nothing, types are full, and
 * the format is UKA's for a stream that is made by its name. It is the JDK's for {@link
 * RewiredObjectOutputStream} and {@link RewiredObjectInputStream}.
 *
 * @param format what an output stream writes; an input stream goes by the header it finds, and by
 *     this if a program writes and reads headers of its own
 * @param types how an output stream writes classes; an input stream reads both, unless {@code FULL}
 *     is what a program or the system property has said to it
 */
public record UkaOptions(Format format, Types types) {
  private static final UkaOptions JDK_FORMAT = new UkaOptions(Format.JDK);

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

  /** This format, with classes in full. */
  public UkaOptions(Format format) {
    this(format, Types.FULL);
  }

  /**
   * The defaults of a stream that is made by its name, as the system properties, or environment
   * variables, have them now.
   *
   * @throws IllegalArgumentException if one has a value that is none of its choices, or a name is
   *     set that probably means one of them
   */
  public static UkaOptions fromSystemProperties() {
    return fromSystemProperties(Format.UKA);
  }

  /** The defaults as they are now, in this format if none is named. */
  static UkaOptions fromSystemProperties(Format otherwise) {
    return Permitted.isNeeded()
        ? Permitted.get(() -> ofSystemProperties(otherwise))
        : ofSystemProperties(otherwise);
  }

  /** Whether the system property says {@code full}, which is more than saying nothing. */
  static boolean wantsFullTypes() {
    return Permitted.isNeeded()
        ? Permitted.get(() -> Settings.STREAM_TYPES.is("full"))
        : Settings.STREAM_TYPES.is("full");
  }

  private static UkaOptions ofSystemProperties(Format otherwise) {
    if (AtStart.REFUSAL != null) {
      throw new IllegalArgumentException(AtStart.REFUSAL);
    }
    if (!AtStart.HAS_VARIABLES && System.getProperty(Settings.STREAM_FORMAT.name()) == null) {
      if (otherwise == Format.JDK) {
        return JDK_FORMAT; // types count in UKA's format only
      }
      if (System.getProperty(Settings.STREAM_TYPES.name()) == null) {
        return new UkaOptions(otherwise);
      }
    }
    String format = Settings.STREAM_FORMAT.get();
    String types = Settings.STREAM_TYPES.get();
    return new UkaOptions(
        format == null ? otherwise : format.equals("jdk") ? Format.JDK : Format.UKA,
        types == null ? Types.FULL : types.equals("slim") ? Types.SLIM : Types.FULL);
  }

  /** What is looked at once: each stream asks for its options. */
  private static final class AtStart {
    /** Why no stream may be opened; null if it may. */
    static final @Nullable String REFUSAL = SettingsCheck.ofStreams().warn().refusal();

    /** Whether a variable of the environment, which does not change, says something. */
    static final boolean HAS_VARIABLES =
        Settings.STREAM_FORMAT.hasVariable() || Settings.STREAM_TYPES.hasVariable();

    private AtStart() {}
  }
}
