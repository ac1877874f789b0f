package io.karmi.spark;

import io.karmi.uka.UkaOptions;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * Settings of an application, the same for all its JVMs. Immutable.
 *
 * @param typesInStreams how classes are written in streams, once for each stream ({@code
 *     spark.uka.types=auto|full|slim}; auto is full)
 * @param typesInRecords how classes are written in records that stand alone and are of a class that
 *     has no number (auto is slim)
 * @param recordsBeforeReset the number of records after which a stream forgets its objects, so that
 *     it does not keep them alive ({@code spark.uka.reset}, 100)
 * @param relocatable whether each record of a shuffle stands alone ({@code
 *     spark.uka.relocation=auto|true|false}; auto is true where classes are named)
 * @param classes names of the classes that have numbers ({@code spark.uka.classes}, separated by
 *     commas), beside the built-in ones
 * @param explainsFailures whether an object that cannot be serialized is told with the way to it
 *     ({@code spark.serializer.extraDebugInfo}, true)
 */
record UkaSettings(
    UkaOptions.Types typesInStreams,
    UkaOptions.Types typesInRecords,
    int recordsBeforeReset,
    boolean relocatable,
    List<String> classes,
    boolean explainsFailures)
    implements Serializable {
  private static final long serialVersionUID = 1;

  private static final String TYPES = "spark.uka.types";
  private static final String RESET = "spark.uka.reset";
  private static final String RELOCATION = "spark.uka.relocation";
  private static final String CLASSES = "spark.uka.classes";

  /** Spark's own, for its JavaSerializer. */
  private static final String EXPLAINS = "spark.serializer.extraDebugInfo";

  private static final int RECORDS_BEFORE_RESET = 100;

  /**
   * The settings of an application.
   *
   * @param conf gives the value of a setting, or the default it is called with
   * @throws IllegalArgumentException naming a setting whose value is none of its choices
   */
  static UkaSettings of(BiFunction<String, String, String> conf) {
    String types = choice(conf, TYPES, "auto", "full", "slim");
    String relocation = choice(conf, RELOCATION, "auto", "true", "false");
    List<String> classes =
        Arrays.stream(conf.apply(CLASSES, "").split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .distinct()
            .toList();
    return new UkaSettings(
        types.equals("slim") ? UkaOptions.Types.SLIM : UkaOptions.Types.FULL,
        types.equals("full") ? UkaOptions.Types.FULL : UkaOptions.Types.SLIM,
        reset(conf.apply(RESET, Integer.toString(RECORDS_BEFORE_RESET))),
        relocation.equals("auto") ? !classes.isEmpty() : relocation.equals("true"),
        List.copyOf(classes),
        Boolean.parseBoolean(conf.apply(EXPLAINS, "true").strip()));
  }

  private static String choice(BiFunction<String, String, String> conf, String... nameAndChoices) {
    List<String> choices = Arrays.asList(nameAndChoices).subList(1, nameAndChoices.length);
    String value = conf.apply(nameAndChoices[0], choices.get(0)).strip().toLowerCase(Locale.ROOT);
    if (!choices.contains(value)) {
      throw new IllegalArgumentException(
          nameAndChoices[0] + "=" + value + " is none of " + choices);
    }
    return value;
  }

  private static int reset(String value) {
    try {
      int records = Integer.parseInt(value.strip());
      if (records > 0) {
        return records;
      }
    } catch (NumberFormatException e) {
      /* Reported below. */
    }
    throw new IllegalArgumentException(RESET + "=" + value + " is no positive number of records");
  }
}
