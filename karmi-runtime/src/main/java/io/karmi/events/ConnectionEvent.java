package io.karmi.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A connection was opened, or is closed. */
@Name("io.karmi.Connection")
@Label("Connection")
@Description("A connection was opened, or is closed.")
@Category("KaRMI")
@StackTrace(false)
final class ConnectionEvent extends Event {
  @Label("Technology")
  @Description("The network that it belongs to, such as tcp, uds or shm.")
  @Nullable String technology;

  @Label("Peer")
  @Nullable String peer;

  @Label("Accepted")
  boolean accepted;

  @Label("Begins")
  boolean begins;
}
