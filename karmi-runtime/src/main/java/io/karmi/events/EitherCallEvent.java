package io.karmi.events;

import jdk.jfr.Event;
import jdk.jfr.Label;
import org.jspecify.annotations.Nullable;

/** Common fields of the events of a call, at its caller and at its callee. */
abstract class EitherCallEvent extends Event {
  @Label("Object")
  @Nullable String object;

  @Label("Interface")
  @Nullable String type;

  @Label("Method")
  @Nullable String method;

  @Label("Peer")
  @Nullable String peer;

  @Label("Problem")
  @Nullable String problem;
}
