package io.karmi.uka.engine.read.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * Event of a class, array or reference that a stream has read. It has the name and fields of the
 * JDK's own event, which only the JDK's streams can emit, so that the same settings enable it.
 */
@Name("jdk.Deserialization")
@Label("Deserialization")
@Description("A class, an array or a reference that an object input stream has read")
@Category({"Java Development Kit", "Serialization"})
@Enabled(false)
@StackTrace(false)
final class DeserializationEvent extends Event {
  @Label("Filter Configured")
  boolean filterConfigured;

  @Label("Filter Status")
  @Nullable String filterStatus;

  @Label("Type")
  @Nullable Class<?> type;

  @Label("Array Length")
  int arrayLength;

  @Label("Object References")
  long objectReferences;

  @Label("Depth")
  long depth;

  @Label("Bytes Read")
  @DataAmount
  long bytesRead;

  @Label("Exception Type")
  @Nullable Class<?> exceptionType;

  @Label("Exception Message")
  @Nullable String exceptionMessage;
}
