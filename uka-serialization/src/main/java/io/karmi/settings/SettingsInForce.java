package io.karmi.settings;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings that were in force at a moment, and where each value came from.
 *
 * <p>A value that is a secret is in no setting: those are in files that a setting names. Immutable.
 */
public final class SettingsInForce {
  /** Where the value of a setting came from. */
  private enum Origin {
    DEFAULT("default"),
    PROPERTY("property"),
    VARIABLE("environment variable "),
    OTHER_PROPERTY("property ");

    final String text;

    Origin(String text) {
      this.text = text;
    }
  }

  /**
   * A setting in force.
   *
   * @param name of its property
   * @param value as it was set, or the default
   * @param origin {@code default}, {@code property}, {@code environment variable X}, or {@code
   *     property X} where the JDK's property X says the same
   */
  public record Entry(String name, String value, String origin) {
    @Override
    public String toString() {
      return name + " = " + value + " (" + origin + ")";
    }
  }

  private final List<Setting> rows;
  private final @Nullable String[] values;
  private final Origin[] origins;
  private final int[] others;

  private SettingsInForce(List<Setting> rows) {
    this.rows = rows;
    values = new String[rows.size()];
    origins = new Origin[rows.size()];
    others = new int[rows.size()];
    for (int i = 0; i < values.length; i++) {
      look(i, rows.get(i));
    }
  }

  /** Those of this process now. */
  public static SettingsInForce now() {
    return new SettingsInForce(Settings.all());
  }

  private void look(int at, Setting row) {
    origins[at] = Origin.DEFAULT;
    String property = System.getProperty(row.name());
    if (property != null && row.allows(property)) {
      values[at] = property;
      origins[at] = Origin.PROPERTY;
      return;
    }
    String variable = property == null ? row.variable() : null;
    if (variable != null && row.allows(variable)) {
      values[at] = variable;
      origins[at] = Origin.VARIABLE;
      return;
    }
    lookAtOthers(at, row);
  }

  private void lookAtOthers(int at, Setting row) {
    String[] names = row.others();
    for (int i = 0; i < names.length; i++) {
      String other = System.getProperty(names[i]);
      if (other != null && ((NumberSetting) row).parse(names[i], other) != null) {
        values[at] = other;
        origins[at] = Origin.OTHER_PROPERTY;
        others[at] = i;
        return;
      }
    }
  }

  /** All settings for users, and those of the others that are set; by name. */
  public List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      Setting row = rows.get(i);
      if (row.isDocumented() || values[i] != null) {
        entries.add(new Entry(row.name(), valueOf(row, values[i]), originOf(row, i)));
      }
    }
    entries.sort((one, other) -> one.name().compareTo(other.name()));
    return entries;
  }

  /** One line for each of these. */
  public String[] lines() {
    List<String> lines = new ArrayList<>();
    for (Entry each : entries()) {
      lines.add(each.toString());
    }
    return lines.toArray(new String[0]);
  }

  private static String valueOf(Setting row, @Nullable String set) {
    if (set != null) {
      return set;
    }
    long number = row instanceof NumberSetting ? ((NumberSetting) row).byNumber() : -1;
    return number >= 0 ? String.valueOf(number) : row.byDefault().replace("`", "");
  }

  private String originOf(Setting row, int at) {
    Origin origin = origins[at];
    return switch (origin) {
      case VARIABLE -> origin.text + row.environment();
      case OTHER_PROPERTY -> origin.text + row.others()[others[at]];
      default -> origin.text;
    };
  }
}
