package io.karmi.settings;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A setting that is a file, a host or a list of names; whoever reads it checks that. */
public final class TextSetting extends Setting {
  private final String allowed;

  TextSetting(SettingRow row, String allowed) {
    super(row);
    this.allowed = allowed;
  }

  @Override
  public String allowed() {
    return allowed;
  }

  @Override
  public boolean allows(String value) {
    return !isOwn() || !value.isBlank() && value.indexOf('\0') < 0; // no path has a NUL
  }

  /** The text that is set now; null for none. */
  public @Nullable String get() {
    return get(SYSTEM);
  }

  /** The text of a source; null for none. */
  public @Nullable String get(UnaryOperator<@Nullable String> source) {
    return usable(source);
  }
}
