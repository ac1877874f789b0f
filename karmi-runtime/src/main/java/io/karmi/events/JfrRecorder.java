package io.karmi.events;

import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Recorder of events in Java Flight Recorder. No event class is used before that is there: these
 * classes register themselves on first use, which would take longer than all the rest of a JVM's
 * first call.
 *
 * <p>For the same reason no method here needs to know which class of events extends which: the
 * verifier would load them, and with a cache of classes, which cannot hold them, the JVM would open
 * the jars of the class path for that, on JDK 25 even before {@code main}.
 */
public final class JfrRecorder extends Recorder {
  /** For {@link Recorder}. */
  public JfrRecorder() {}

  @Override
  public boolean recordsCalls() {
    return FlightRecorder.isInitialized() && Probes.instance().isCallEnabled();
  }

  @Override
  public Object beginCall(boolean served) {
    return Probes.begun(served);
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
    if (FlightRecorder.isInitialized() && Probes.instance().exports.isEnabled()) {
      ExportEvent event = new ExportEvent();
      event.object = object;
      event.type = type;
      event.begins = begins;
      event.commit();
    }
  }

  @Override
  public void connection(String technology, String peer, boolean accepted, boolean begins) {
    if (FlightRecorder.isInitialized() && Probes.instance().connections.isEnabled()) {
      ConnectionEvent event = new ConnectionEvent();
      event.technology = technology;
      event.peer = peer;
      event.accepted = accepted;
      event.begins = begins;
      event.commit();
    }
  }

  @Override
  public void collectorMessage(String node, boolean sent, int numbers) {
    if (FlightRecorder.isInitialized() && Probes.instance().collectorMessages.isEnabled()) {
      CollectorEvent event = new CollectorEvent();
      event.node = node;
      event.sent = sent;
      event.numbers = numbers;
      event.commit();
    }
  }

  @Override
  public void group(String group, String action, long bytes) {
    if (FlightRecorder.isInitialized() && Probes.instance().groups.isEnabled()) {
      GroupEvent event = new GroupEvent();
      event.group = group;
      event.action = action;
      event.bytes = bytes;
      event.commit();
    }
  }

  @Override
  public void serviceFailed(String service, String problem) {
    if (FlightRecorder.isInitialized() && Probes.instance().serviceFailures.isEnabled()) {
      ServiceFailureEvent event = new ServiceFailureEvent();
      event.service = service;
      event.problem = problem;
      event.commit();
    }
  }
}
