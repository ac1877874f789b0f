package io.karmi.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A call of a remote object, at its caller. */
@Name("io.karmi.Call")
@Label("Remote Call")
@Description("A call of a remote object, at its caller.")
@Category("KaRMI")
@StackTrace(true)
final class CallEvent extends EitherCallEvent {}
