package io.karmi.events;

import jdk.jfr.Event;
import org.jspecify.annotations.Nullable;

/** Takes note in Java Flight Recorder. */
public final class JfrRecorder extends Recorder {
  /**
   * Asked only; the flight recorder makes their answer a look at a field while it runs. One of each
   * kind: a class of events registers itself when it is first used, for which a program under a
   * security manager need not have the permission.
   */
  private final Event calls = new CallEvent();

  private final Event servedCalls = new ServedCallEvent();
  private final Event exports = new ExportEvent();
  private final Event connections = new ConnectionEvent();
  private final Event collectorMessages = new CollectorEvent();

  /** For {@link Recorder}. */
  public JfrRecorder() {}

  @Override
  public boolean recordsCalls() {
    return calls.isEnabled() || servedCalls.isEnabled();
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
    if (exports.isEnabled()) {
      ExportEvent event = new ExportEvent();
      event.object = object;
      event.type = type;
      event.begins = begins;
      event.commit();
    }
  }

  @Override
  public void connection(String peer, boolean accepted, boolean begins) {
    if (connections.isEnabled()) {
      ConnectionEvent event = new ConnectionEvent();
      event.peer = peer;
      event.accepted = accepted;
      event.begins = begins;
      event.commit();
    }
  }

  @Override
  public void collectorMessage(String node, boolean sent, int numbers) {
    if (collectorMessages.isEnabled()) {
      CollectorEvent event = new CollectorEvent();
      event.node = node;
      event.sent = sent;
      event.numbers = numbers;
      event.commit();
    }
  }
}
