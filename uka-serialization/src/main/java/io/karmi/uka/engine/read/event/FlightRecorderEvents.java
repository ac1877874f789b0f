package io.karmi.uka.engine.read.event;

import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Listener that records in Java Flight Recorder. The event's class is not touched before that is
 * there: it would register itself, which takes longer than the start of many programs.
 */
public final class FlightRecorderEvents extends FilterEvents {
  public FlightRecorderEvents() {}

  @Override
  public boolean areWanted() {
    return FlightRecorder.isInitialized() && new DeserializationEvent().isEnabled();
  }

  @Override
  public void note(
      boolean filtered,
      @Nullable Status status,
      FilterInfo shown,
      @Nullable RuntimeException failure) {
    DeserializationEvent event = new DeserializationEvent();
    event.filterConfigured = filtered;
    event.filterStatus = status == null ? null : status.name();
    event.type = shown.serialClass();
    event.arrayLength = (int) shown.arrayLength();
    event.objectReferences = shown.references();
    event.depth = shown.depth();
    event.bytesRead = shown.streamBytes();
    if (failure != null) {
      event.exceptionType = failure.getClass();
      event.exceptionMessage = failure.getMessage();
    }
    event.commit();
  }
}
