package io.karmi.events;

import jdk.jfr.Event;
import jdk.jfr.Label;

/** What is noted of a call, at its caller and at its callee alike. */
abstract class EitherCallEvent extends Event {
  @Label("Object")
  String object;

  @Label("Interface")
  String type;

  @Label("Method")
  String method;

  @Label("Peer")
  String peer;

  @Label("Problem")
  String problem;
}
