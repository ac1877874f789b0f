package io.karmi.events;

import java.security.AccessController;
import java.security.PrivilegedAction;

/**
 * An event of each kind, only to ask whether its kind is enabled: the flight recorder makes that
 * one read of a field.
 *
 * <p>A class of events registers itself when it is first used, for which a program under a security
 * manager (JDKs before 24), whose call this may be, need not have the permission.
 */
final class Probes {
  @SuppressWarnings("removal")
  private static final Probes INSTANCE =
      AccessController.doPrivileged((PrivilegedAction<Probes>) Probes::new);

  private final CallEvent calls = new CallEvent();
  private final ServedCallEvent servedCalls = new ServedCallEvent();
  final ExportEvent exports = new ExportEvent();
  final ConnectionEvent connections = new ConnectionEvent();
  final CollectorEvent collectorMessages = new CollectorEvent();
  final GroupEvent groups = new GroupEvent();
  final ServiceFailureEvent serviceFailures = new ServiceFailureEvent();

  private Probes() {}

  static Probes instance() {
    return INSTANCE;
  }

  static EitherCallEvent begun(boolean served) {
    EitherCallEvent event = served ? new ServedCallEvent() : new CallEvent();
    event.begin();
    return event;
  }

  boolean isCallEnabled() {
    return calls.isEnabled() || servedCalls.isEnabled();
  }
}
