package io.karmi.events;

import jdk.jfr.Event;
import org.jspecify.annotations.Nullable;

/** Takes note in Java Flight Recorder. */
public final class JfrRecorder extends Recorder {
  /**
   * Asked only; the flight recorder makes their answer a look at a field while it runs, and
   * compiled code has the answer in it while it does not. One of each kind: a class of events
   * registers itself when it is first used, for which a program under a security manager need not
   * have the permission.
   */
  private static final Event CALLS = new CallEvent();

  private static final Event SERVED_CALLS = new ServedCallEvent();
  private static final Event EXPORTS = new ExportEvent();
  private static final Event CONNECTIONS = new ConnectionEvent();
  private static final Event COLLECTOR_MESSAGES = new CollectorEvent();

  /** For {@link Recorder}. */
  public JfrRecorder() {}

  @Override
  public boolean recordsCalls() {
    return CALLS.isEnabled() || SERVED_CALLS.isEnabled();
  }

  @Override
  public Object beginCall(boolean served) {
    Event event = served ? new ServedCallEvent() : new CallEvent();
    event.begin();
    return event;
  }

  @Override
  public void endCall(
      @Nullable Object begun,
      String object,
      String type,
      String method,
      String peer,
      @Nullable Throwable problem) {
    if (begun == null) {
      return;
    }
    EitherCallEvent event = (EitherCallEvent) begun;
    event.end();
    if (event.shouldCommit()) {
      event.object = object;
      event.type = type;
      event.method = method;
      event.peer = peer;
      event.problem = problem == null ? null : problem.toString();
      event.commit();
    }
  }

  @Override
  public void export(String object, String type, boolean begins) {
    if (EXPORTS.isEnabled()) {
      ExportEvent event = new ExportEvent();
      event.object = object;
      event.type = type;
      event.begins = begins;
      event.commit();
    }
  }

  @Override
  public void connection(String peer, boolean accepted, boolean begins) {
    if (CONNECTIONS.isEnabled()) {
      ConnectionEvent event = new ConnectionEvent();
      event.peer = peer;
      event.accepted = accepted;
      event.begins = begins;
      event.commit();
    }
  }

  @Override
  public void collectorMessage(String node, boolean sent, int numbers) {
    if (COLLECTOR_MESSAGES.isEnabled()) {
      CollectorEvent event = new CollectorEvent();
      event.node = node;
      event.sent = sent;
      event.numbers = numbers;
      event.commit();
    }
  }
}
