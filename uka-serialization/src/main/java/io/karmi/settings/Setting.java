package io.karmi.settings;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A setting: its name, what is allowed, its default and its meaning. All of them are in {@link
 * Settings}.
 *
 * <p>A setting is a system property, or an environment variable with the same meaning: {@code
 * karmi.serialFilter} is {@code KARMI_SERIAL_FILTER}. The property counts where both are set.
 *
 * <p>Immutable.
 */
public abstract class Setting {
  static final String OF_STREAMS = "uka.";

  /** See {@link Settings#SYSTEM}. */
  static final UnaryOperator<@Nullable String> SYSTEM = new SystemSource();

  private final SettingRow row;

  Setting(SettingRow row) {
    this.row = row;
  }

  /** Name of the system property. */
  public final String name() {
    return row.name;
  }

  /** Name of the environment variable; that of a property of the JDK's is not read. */
  public final String environment() {
    return Variables.name(row.name);
  }

  /** The default, as a reader sees it. */
  public final String byDefault() {
    return row.byDefault;
  }

  /** What it does, in Markdown. */
  public final String meaning() {
    return row.meaning;
  }

  /** Page of the documentation, with an anchor, below {@code docs/}. */
  public final String page() {
    return row.page;
  }

  /**
   * Whether it decides about security: what may come in, in which form, from where, and how much. A
   * wrong value is refused; that of another setting is ignored with a warning.
   */
  public final boolean isOfSecurity() {
    return row.security;
  }

  /** Whether it is for users. Others are for tests and diagnosis, and may change. */
  public final boolean isDocumented() {
    return row.documented;
  }

  /** Whether it is one of KaRMI's, and none that KaRMI takes over from the JDK. */
  public final boolean isOwn() {
    return isOwn(row.name);
  }

  /** Whether object streams read it, which may be used without the rest of KaRMI. */
  public final boolean isOfStreams() {
    return row.ofStreams || row.name.startsWith(OF_STREAMS);
  }

  static boolean isOwn(String name) {
    return name.startsWith(Variables.OWN) || name.startsWith(OF_STREAMS);
  }

  /** The properties of the JDK that are asked where this one is not set. */
  public final String[] others() {
    return row.others.clone();
  }

  /** The allowed values, such as {@code a whole number from 0 to 10}. */
  public abstract String allowed();

  /** Whether a value is allowed. */
  public abstract boolean allows(String value);

  /** The value as it is set now; null if it is not set. */
  public final @Nullable String text() {
    return SYSTEM.apply(row.name);
  }

  /** Whether its environment variable is set. */
  public final boolean hasVariable() {
    return variable() != null;
  }

  /** Gives the property this value, unless the user has set one, or the variable. */
  public final void setUnlessGiven(String value) {
    if (text() == null) {
      System.setProperty(row.name, value);
    }
  }

  /** The value of its environment variable; null if that is not set. */
  final @Nullable String variable() {
    return isOwn() ? Variables.of(row.name) : null;
  }

  /** The value that a source of settings has; null if it has none. */
  public final @Nullable String text(UnaryOperator<@Nullable String> source) {
    return source.apply(row.name);
  }

  /** The same, and null for a value that is not allowed. */
  final @Nullable String usable(UnaryOperator<@Nullable String> source) {
    String text = text(source);
    if (text == null || allows(text)) {
      return text;
    }
    if (row.security) {
      throw new IllegalArgumentException(problem(row.name, text));
    }
    return null;
  }

  /** Says that a value is not allowed, and what is. */
  final String problem(String as, String value) {
    return as + "=" + value + " is none of its values: " + allowed();
  }

  @Override
  public final String toString() {
    return row.name;
  }

  private static final class SystemSource implements UnaryOperator<@Nullable String> {
    @Override
    public @Nullable String apply(@Nullable String name) {
      if (name == null) {
        return null;
      }
      String set = System.getProperty(name);
      return set != null || !isOwn(name) ? set : Variables.of(name);
    }
  }
}
