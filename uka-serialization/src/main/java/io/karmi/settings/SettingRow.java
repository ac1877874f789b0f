package io.karmi.settings;

import java.util.List;

/** What all kinds of settings have in common, while a row of {@link Settings} is written down. */
final class SettingRow {
  private static final String[] NONE = {};

  private final List<Setting> rows;
  final String name;
  final String byDefault;
  final String page;
  final String meaning;
  String[] others = NONE;
  boolean security;
  boolean documented = true;
  boolean ofStreams;

  /**
   * A setting for users.
   *
   * @param rows where it is added when it is complete
   * @param byDefault as a reader sees it
   * @param page of the documentation, below {@code docs/}
   * @param meaning in Markdown
   */
  SettingRow(List<Setting> rows, String name, String byDefault, String page, String meaning) {
    this.rows = rows;
    this.name = name;
    this.byDefault = byDefault;
    this.page = page;
    this.meaning = meaning;
  }

  /** It decides about security. */
  SettingRow security() {
    security = true;
    return this;
  }

  /** For tests and diagnosis; in no page. */
  SettingRow internal() {
    documented = false;
    return this;
  }

  /** Object streams read it as well. */
  SettingRow ofStreams() {
    ofStreams = true;
    return this;
  }

  /** Properties that are asked where this one is not set. */
  SettingRow orElse(String... properties) {
    others = properties;
    return this;
  }

  NumberSetting number(long byNumber, long least, long most) {
    return added(new NumberSetting(this, byNumber, least, most, false));
  }

  /** A whole number from {@code least} to {@code most}, or 0. */
  NumberSetting numberOrZero(long byNumber, long least, long most) {
    return added(new NumberSetting(this, byNumber, least, most, true));
  }

  WordSetting words(String... words) {
    return added(new WordSetting(this, words));
  }

  /** {@code true} or {@code false}. */
  WordSetting flag() {
    return words("true", "false");
  }

  /** Any text that is not empty. */
  TextSetting text(String allowed) {
    return added(new TextSetting(this, allowed));
  }

  private <S extends Setting> S added(S setting) {
    rows.add(setting);
    return setting;
  }
}
