package io.karmi.settings;

import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A setting that is one of some words, exactly as they are written. */
public final class WordSetting extends Setting {
  private final List<String> words;

  WordSetting(SettingRow row, String... words) {
    super(row);
    this.words = List.of(words);
  }

  @Override
  public String allowed() {
    return String.join(", ", words);
  }

  /** The words. */
  public List<String> words() {
    return words;
  }

  @Override
  public boolean allows(String value) {
    return words.contains(value);
  }

  /** The word that is set now; null for none, and for one that is not allowed and ignored. */
  public @Nullable String get() {
    return usable(SYSTEM);
  }

  /** Whether it is set to a word now. */
  public boolean is(String word) {
    return is(word, SYSTEM);
  }

  /** Whether a source sets it to a word. */
  public boolean is(String word, UnaryOperator<@Nullable String> source) {
    return word.equals(usable(source));
  }

  /**
   * Whether it is set to a word now, or to something that is not allowed. For readers that a node
   * has which refuses that: {@code word} is then what is safe.
   */
  public boolean mayBe(String word) {
    String text = text();
    return text != null && (word.equals(text) || !allows(text));
  }

  /** Whether it is {@code true} now. */
  public boolean isOn() {
    return is("true");
  }

  /** Whether a source says {@code true}. */
  public boolean isOn(UnaryOperator<@Nullable String> source) {
    return is("true", source);
  }
}
