package io.karmi.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A message between the collectors of two nodes. */
@Name("io.karmi.CollectorMessage")
@Label("Collector Message")
@Description("A message between the collectors of two nodes.")
@Category("KaRMI")
@StackTrace(false)
final class CollectorEvent extends Event {
  @Label("Node")
  @Nullable String node;

  @Label("Sent")
  boolean sent;

  @Label("Numbers")
  int numbers;
}
