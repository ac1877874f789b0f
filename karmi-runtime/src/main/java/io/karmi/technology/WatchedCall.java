package io.karmi.technology;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call, or a message, that is reported to watchers. */
public interface WatchedCall {
  /** The header that is sent along. */
  Map<String, String> header();

  /** The deadline of the call; null for none. */
  @Nullable CallDeadline deadline();

  /** Called before the thread that executes a call leaves it, because its outcome comes later. */
  void suspended();

  /**
   * Called once, when the call has ended.
   *
   * @param problem what the method threw, or why there is no outcome; null if it has returned
   */
  void ended(@Nullable Throwable problem);
}
