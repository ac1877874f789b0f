package io.karmi.events;

import org.jspecify.annotations.Nullable;

/**
 * Recorder of events in the runtime; this one records nothing. Thread-safe.
 *
 * <p>{@link JfrRecorder} does, and is found by name, since {@code jdk.jfr} is not in every run-time
 * image.
 */
public class Recorder {
  private static final Recorder INSTANCE = find();

  /** Takes no note of anything. */
  protected Recorder() {}

  /** The recorder of this JVM. */
  public static Recorder instance() {
    return INSTANCE;
  }

  private static Recorder find() {
    try {
      Class.forName("jdk.jfr.FlightRecorder", false, Recorder.class.getClassLoader());
      return (Recorder)
          Class.forName("io.karmi.events.JfrRecorder", true, Recorder.class.getClassLoader())
              .getConstructor()
              .newInstance();
    } catch (ReflectiveOperationException | LinkageError e) {
      System.getLogger(Recorder.class.getName())
          .log(System.Logger.Level.DEBUG, "no flight recorder events", e);
      return new Recorder();
    }
  }

  /** Whether calls are to be recorded. */
  public boolean recordsCalls() {
    return false;
  }

  /** A call begins; returns what {@link #endCall} needs. */
  public @Nullable Object beginCall(boolean served) {
    return null;
  }

  /** A call has ended. */
  public void endCall(
      @Nullable Object begun,
      String object,
      String type,
      String method,
      String peer,
      @Nullable Throwable problem) {}

  /** An object was exported, or is no more. */
  public void export(String object, String type, boolean begins) {}

  /** A connection of a technology was opened, or is closed. */
  public void connection(String technology, String peer, boolean accepted, boolean begins) {}

  /** A message between collectors. */
  public void collectorMessage(String node, boolean sent, int numbers) {}

  /** A group of an exchange space was put, fetched or read. */
  public void group(String group, String action, long bytes) {}

  /** A round of a service of the runtime has failed. */
  public void serviceFailed(String service, String problem) {}
}
