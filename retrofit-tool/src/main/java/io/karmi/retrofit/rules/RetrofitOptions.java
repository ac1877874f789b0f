package io.karmi.retrofit.rules;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The user's options, with the same names in all three deliveries.
 *
 * <table>
 * <caption>Options</caption>
 * <tr><td>{@code only=serialization|rmi}</td><td>swap in that part alone</td></tr>
 * <tr><td>{@code include=PATTERN}</td><td>rewire only classes that match; may be given several times</td></tr>
 * <tr><td>{@code exclude=PATTERN}</td><td>leave classes that match; wins over {@code include}</td></tr>
 * <tr><td>{@code weave}, {@code no-weave}</td><td>give serializable classes their own marshalers, or do not; the last one counts</td></tr>
 * <tr><td>{@code trace}</td><td>say on standard error what was done to each class</td></tr>
 * <tr><td>{@code summary}</td><td>say on standard error at the end what calls and streams took</td></tr>
 * </table>
 *
 * <p>Immutable.
 */
public final class RetrofitOptions {
  private final Set<Part> parts;
  private final List<NamePattern> includes;
  private final List<NamePattern> excludes;
  private final boolean weave;
  private final boolean trace;
  private final boolean summary;

  private RetrofitOptions(
      Set<Part> parts,
      List<NamePattern> includes,
      List<NamePattern> excludes,
      boolean weave,
      boolean trace,
      boolean summary) {
    this.parts = EnumSet.copyOf(parts);
    this.includes = List.copyOf(includes);
    this.excludes = List.copyOf(excludes);
    this.weave = weave;
    this.trace = trace;
    this.summary = summary;
  }

  /** Everything is swapped in, for every class. */
  public static RetrofitOptions defaults() {
    return new Builder().build();
  }

  /**
   * Reads the agent's argument string: {@code key=value} or bare keys, separated by commas.
   *
   * @param arguments may be null or empty
   * @throws IllegalArgumentException naming the option that is unknown or has a wrong value
   */
  public static RetrofitOptions parse(@Nullable String arguments) {
    Builder builder = new Builder();
    if (arguments != null) {
      for (String option : arguments.split(",")) {
        if (!option.isBlank()) {
          int equals = option.indexOf('=');
          String key = equals < 0 ? option : option.substring(0, equals);
          builder.set(key.strip(), equals < 0 ? "" : option.substring(equals + 1).strip());
        }
      }
    }
    return builder.build();
  }

  /** Whether this part is to be swapped in. */
  public boolean has(Part part) {
    return parts.contains(part);
  }

  /** Whether {@code include} and {@code exclude} select this class. */
  public boolean selects(String binaryName) {
    return (includes.isEmpty() || anyMatches(includes, binaryName))
        && !anyMatches(excludes, binaryName);
  }

  /** Whether serializable classes get marshalers of their own. */
  public boolean weave() {
    return weave;
  }

  /** These options without weaving: for a JVM that has loaded some classes already, unwoven. */
  public RetrofitOptions withoutWeaving() {
    return new RetrofitOptions(parts, includes, excludes, false, trace, summary);
  }

  /** Whether each rewired class is named on standard error. */
  public boolean trace() {
    return trace;
  }

  /** Whether the end of the JVM is told on standard error what its calls and streams took. */
  public boolean summary() {
    return summary;
  }

  /**
   * The options as {@link #parse} reads them, each once and in one order; empty for the defaults.
   * Options of equal text do the same.
   */
  @Override
  public String toString() {
    Set<String> given = new LinkedHashSet<>();
    if (parts.size() == 1) {
      given.add("only=" + parts.iterator().next().name().toLowerCase(Locale.ROOT));
    }
    includes.stream().map(each -> "include=" + each).sorted().forEach(given::add);
    excludes.stream().map(each -> "exclude=" + each).sorted().forEach(given::add);
    if (weave) {
      given.add("weave");
    }
    if (trace) {
      given.add("trace");
    }
    if (summary) {
      given.add("summary");
    }
    return String.join(",", given);
  }

  private static boolean anyMatches(List<NamePattern> patterns, String binaryName) {
    for (NamePattern pattern : patterns) {
      if (pattern.matches(binaryName)) {
        return true;
      }
    }
    return false;
  }

  /** Builder of options, for command lines and for the agent's argument string. */
  public static final class Builder {
    private Set<Part> parts = EnumSet.allOf(Part.class);
    private final List<NamePattern> includes = new ArrayList<>();
    private final List<NamePattern> excludes = new ArrayList<>();
    private boolean weave;
    private boolean trace;
    private boolean summary;

    /**
     * Adds one option.
     *
     * @param value empty if the option stands alone
     * @throws IllegalArgumentException naming the option that is unknown, has a wrong value or
     *     contradicts one before
     */
    public Builder set(String key, String value) {
      switch (key) {
        case "only" -> parts = only(part(value));
        case "include" -> includes.add(pattern(key, value));
        case "exclude" -> excludes.add(pattern(key, value));
        case "weave" -> weave = alone(key, value);
        case "no-weave" -> weave = !alone(key, value);
        case "trace" -> trace = alone(key, value);
        case "summary" -> summary = alone(key, value);
        default ->
            throw new IllegalArgumentException(
                "unknown option '"
                    + key
                    + "'; there are only, include, exclude, weave, no-weave, trace and summary");
      }
      return this;
    }

    /**
     * The options so far.
     *
     * @throws IllegalArgumentException if they contradict each other
     */
    public RetrofitOptions build() {
      if (weave && !parts.contains(Part.SERIALIZATION)) {
        throw new IllegalArgumentException(
            "weave and only=rmi contradict each other: marshalers are of the object streams, which"
                + " only=rmi leaves to the JDK");
      }
      return new RetrofitOptions(parts, includes, excludes, weave, trace, summary);
    }

    private Set<Part> only(Part part) {
      if (parts.size() == 1 && !parts.contains(part)) {
        throw new IllegalArgumentException(
            "only=serialization and only=rmi contradict each other; without either both are"
                + " swapped in");
      }
      return EnumSet.of(part);
    }

    /** True, for an option that takes no value. */
    private static boolean alone(String key, String value) {
      if (!value.isEmpty()) {
        throw new IllegalArgumentException(key + " takes no value, but has '" + value + "'");
      }
      return true;
    }

    private static Part part(String value) {
      for (Part part : Part.values()) {
        if (part.name().toLowerCase(Locale.ROOT).equals(value)) {
          return part;
        }
      }
      throw new IllegalArgumentException(
          "only=" + value + " is neither only=serialization nor only=rmi");
    }

    private static NamePattern pattern(String key, String value) {
      if (value.isEmpty()) {
        throw new IllegalArgumentException(
            key + " needs a pattern of class names, such as " + key + "=com.acme.*");
      }
      return new NamePattern(value);
    }
  }
}
