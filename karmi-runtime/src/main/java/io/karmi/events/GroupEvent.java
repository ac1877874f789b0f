package io.karmi.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A group of an exchange space was put, fetched from another host, or its objects were made. */
@Name("io.karmi.Group")
@Label("Group")
@Description("A group of an exchange space was put, fetched from another host, or read.")
@Category("KaRMI")
@StackTrace(true)
final class GroupEvent extends Event {
  @Label("Group")
  @Nullable String group;

  @Label("Action")
  @Nullable String action;

  @Label("Length")
  @DataAmount
  long bytes;
}
