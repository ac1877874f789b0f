package io.karmi.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** An object was exported, or is no more. */
@Name("io.karmi.Export")
@Label("Export")
@Description("An object was exported, or is no more.")
@Category("KaRMI")
@StackTrace(true)
final class ExportEvent extends Event {
  @Label("Object")
  @Nullable String object;

  @Label("Class")
  @Nullable String type;

  @Label("Begins")
  boolean begins;
}
