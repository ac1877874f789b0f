package io.karmi.uka.engine.read;

import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import org.jspecify.annotations.Nullable;

/**
 * Takes note of all that a filter is shown, or would be if there were one; this one does not.
 * Thread-safe.
 *
 * <p>{@link FlightRecorderEvents} does, and is found by name, since {@code jdk.jfr} is not in every
 * run-time image.
 */
public class FilterEvents {
  private static final FilterEvents INSTANCE = find();

  public FilterEvents() {}

  /** That of this JVM. */
  public static FilterEvents instance() {
    return INSTANCE;
  }

  private static FilterEvents find() {
    ClassLoader loader = FilterEvents.class.getClassLoader();
    try {
      Class.forName("jdk.jfr.FlightRecorder", false, loader);
      String name = FilterEvents.class.getPackageName() + ".FlightRecorderEvents";
      return (FilterEvents)
          Class.forName(name, true, loader).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      return new FilterEvents();
    }
  }

  /** Whether anybody wants to know. */
  public boolean areWanted() {
    return false;
  }

  /**
   * Takes note of a class, an array or a reference.
   *
   * @param status what the filter has said; null if there is none
   * @param failure with which it has failed
   */
  public void note(
      boolean filtered,
      @Nullable Status status,
      FilterInfo shown,
      @Nullable RuntimeException failure) {}
}
