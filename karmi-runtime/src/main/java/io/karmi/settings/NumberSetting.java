package io.karmi.settings;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * A system property that is a whole number.
 *
 * <p>A value that is none is ignored, as the JDK's {@link Long#getLong(String)} does, but not in
 * silence: a warning names the property, its value and the number that is used instead, once for
 * each.
 *
 * <p>Properties of KaRMI are decimal, and may have blanks around them. Those of the JDK's RMI are
 * read as the JDK reads them: also hexadecimal and octal, and without blanks.
 */
public final class NumberSetting {
  private NumberSetting() {}

  /** The value of a system property, or the default if it is not set or is no number. */
  public static long of(String name, long byDefault) {
    String text = System.getProperty(name);
    if (text == null) {
      return byDefault;
    }
    try {
      return parse(name, text);
    } catch (NumberFormatException e) {
      Warnings.ignored(name, text, byDefault);
      return byDefault;
    }
  }

  /** The same for an {@code int}, and no less than a lower bound. */
  public static int of(String name, int byDefault, int least) {
    return (int) Math.max(least, Math.min(Integer.MAX_VALUE, of(name, (long) byDefault)));
  }

  /**
   * The value of the first property that is a number, or the default.
   *
   * @param properties gives the value of a property, or null
   * @param byDefault negative where it is not known here what is used
   * @param least lower bound of a value that is set
   * @param most upper bound of a value that is set
   */
  public static long of(
      UnaryOperator<String> properties, long byDefault, long least, long most, String... names) {
    return first(properties, byDefault, least, most, names, 0);
  }

  private static long first(
      UnaryOperator<String> properties,
      long byDefault,
      long least,
      long most,
      String[] names,
      int index) {
    if (index == names.length) {
      return byDefault;
    }
    String text = properties.apply(names[index]);
    if (text == null) {
      return first(properties, byDefault, least, most, names, index + 1);
    }
    try {
      return Math.max(least, Math.min(most, parse(names[index], text)));
    } catch (NumberFormatException e) {
      long instead = first(properties, byDefault, least, most, names, index + 1);
      Warnings.ignored(names[index], text, instead);
      return instead;
    }
  }

  private static long parse(String name, String text) {
    return name.startsWith("karmi.") ? Long.parseLong(text.trim()) : Long.decode(text);
  }

  /** Loaded with its logger only where there is something to say. */
  private static final class Warnings {
    private static final System.Logger LOG = System.getLogger("io.karmi.settings");

    /** Lines that were logged: a few, as the names are KaRMI's own. */
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private Warnings() {}

    static void ignored(String name, String text, long instead) {
      String used = instead < 0 ? "its default" : String.valueOf(instead);
      if (SAID.add(name + '=' + text + ' ' + used)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}={1} is no whole number and is ignored: {2} is used",
            name,
            text,
            used);
      }
    }
  }
}
