package io.karmi.benchmarks.measure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a kernel that several threads run at once: {@code ping() x4}. What a stack appends to
 * a kernel's name stays behind it.
 *
 * @param kernel what each thread runs
 * @param suffix such as {@code " x4"}; empty for one thread
 * @param threads how many
 */
record ThreadedName(String kernel, String suffix, int threads) {
  private static final Pattern NAME = Pattern.compile("(.*?)( x([1-9]\\d{0,3}))?(=.*)?");

  static ThreadedName parse(String name) {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches() || parts.group(2) == null) {
      return new ThreadedName(name, "", 1);
    }
    String appended = parts.group(4) == null ? "" : parts.group(4);
    return new ThreadedName(
        parts.group(1) + appended, parts.group(2), Integer.parseInt(parts.group(3)));
  }
}
