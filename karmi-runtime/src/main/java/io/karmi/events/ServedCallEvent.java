package io.karmi.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A call of a remote object, at its callee. */
@Name("io.karmi.ServedCall")
@Label("Served Remote Call")
@Description("A call of a remote object, at its callee.")
@Category("KaRMI")
@StackTrace(false)
final class ServedCallEvent extends EitherCallEvent {}
