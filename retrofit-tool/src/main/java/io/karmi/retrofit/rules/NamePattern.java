package io.karmi.retrofit.rules;

import java.util.regex.Pattern;

/**
 * A pattern over binary class names, such as {@code com.acme.*} or {@code *.Matrix}.
 *
 * <p>A star stands for any characters, dots included; everything else is literal.
 */
final class NamePattern {
  private final String text;
  private final Pattern pattern;

  NamePattern(String text) {
    this.text = text;
    StringBuilder regex = new StringBuilder();
    for (String literal : text.split("\\*", -1)) {
      if (regex.length() > 0) {
        regex.append(".*");
      }
      regex.append(literal.isEmpty() ? "(?:)" : Pattern.quote(literal));
    }
    pattern = Pattern.compile(regex.toString());
  }

  boolean matches(String binaryName) {
    return pattern.matcher(binaryName).matches();
  }

  /** The pattern as it was given. */
  @Override
  public String toString() {
    return text;
  }
}
