package io.karmi.technology;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call that is reported to watchers. */
public interface WatchedCall {
  /** What is sent along. */
  Map<String, String> header();

  /** By when it must be over; null for no limit. */
  @Nullable CallDeadline deadline();

  /**
   * The call has ended; said once.
   *
   * @param problem what the method threw, or why there is no outcome; null if it has returned
   */
  void ended(@Nullable Throwable problem);
}
