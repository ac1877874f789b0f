package io.karmi.uka.engine.read.event;

import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import org.jspecify.annotations.Nullable;

/**
 * Listener to what a filter is shown, or would be if there were one. This one ignores it; {@link
 * FlightRecorderEvents} is found by name, as not every run-time image has {@code jdk.jfr}.
 *
 * <p>Thread-safe.
 */
public class FilterEvents {
  private static final FilterEvents INSTANCE = find();

  public FilterEvents() {}

  /** The listener of this JVM. */
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

  /** Whether events are recorded. */
  public boolean areWanted() {
    return false;
  }

  /**
   * Records a class, an array or a reference.
   *
   * @param status the filter's decision; null without a filter
   * @param failure the filter's exception, or null
   */
  public void note(
      boolean filtered,
      @Nullable Status status,
      FilterInfo shown,
      @Nullable RuntimeException failure) {}
}
