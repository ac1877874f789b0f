package io.karmi.settings;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A setting that is a whole number.
 *
 * <p>Numbers of KaRMI's own settings are decimal, and may have blanks around them. Those of the
 * JDK's are read as the JDK reads them: also hexadecimal and octal, and without blanks. One that is
 * not allowed is ignored, and the next of the properties counts.
 */
public final class NumberSetting extends Setting {
  private final long byNumber;
  private final long least;
  private final long most;
  private final boolean orZero;

  NumberSetting(SettingRow row, long byNumber, long least, long most, boolean orZero) {
    super(row);
    this.byNumber = byNumber;
    this.least = least;
    this.most = most;
    this.orZero = orZero;
  }

  @Override
  public String allowed() {
    String zero = orZero ? "0, or " : "";
    return most == Long.MAX_VALUE
        ? zero + "a whole number, at least " + least
        : zero + "a whole number from " + least + " to " + most;
  }

  @Override
  public boolean allows(String value) {
    return parse(name(), value) != null;
  }

  /** The value now, or the default. */
  public long get() {
    return get(SYSTEM);
  }

  /** The value of a source, or the default. */
  public long get(UnaryOperator<@Nullable String> source) {
    return get(source, byNumber);
  }

  /** The value of a source, or a default that depends on something else. */
  public long get(UnaryOperator<@Nullable String> source, long otherwise) {
    String text = usable(source);
    Long own = text == null ? null : parse(name(), text);
    if (own != null) {
      return own;
    }
    for (String other : others()) {
      String set = source.apply(other);
      Long number = set == null ? null : parse(other, set);
      if (number != null) {
        return number;
      }
    }
    return otherwise;
  }

  /** The same where the value fits an {@code int}. */
  public int getInt(UnaryOperator<@Nullable String> source) {
    return (int) get(source);
  }

  /** The default; negative where it depends on something else. */
  long byNumber() {
    return byNumber;
  }

  /**
   * Null for what is not allowed. A number of the JDK's is brought within the bounds, as the JDK
   * does not refuse it.
   */
  @Nullable Long parse(String property, String text) {
    try {
      if (!isOwn(property)) {
        return Math.max(orZero ? 0 : least, Math.min(most, Long.decode(text)));
      }
      long number = Long.parseLong(text.trim());
      return number >= least && number <= most || orZero && number == 0 ? number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
