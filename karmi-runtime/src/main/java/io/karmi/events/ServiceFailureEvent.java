package io.karmi.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A service of the runtime has failed, and goes on. */
@Name("io.karmi.ServiceFailure")
@Label("Service Failure")
@Description("A round of a service of the runtime has failed; the next one follows.")
@Category("KaRMI")
@StackTrace(false)
final class ServiceFailureEvent extends Event {
  @Label("Service")
  @Nullable String service;

  @Label("Problem")
  @Nullable String problem;
}
