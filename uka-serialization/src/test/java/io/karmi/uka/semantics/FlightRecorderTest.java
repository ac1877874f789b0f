package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.Test;
import org.junit.runner.RunWith;

/** What streams tell the flight recorder, if it asks for {@code jdk.Deserialization}. */
@RunWith(SameProgram.class)
public class FlightRecorderTest {
  static class Node implements Serializable {
    private static final long serialVersionUID = 1;
    final int number;
    Object next;

    Node(int number, Object next) {
      this.number = number;
      this.next = next;
    }
  }

  private static byte[] message() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      List<Object> list = new ArrayList<>(List.of(1, 2L, "three", new Date(4), new int[5]));
      list.add(new Node(1, new Node(2, list)));
      list.add(new HashMap<>(Map.of("key", new ArrayList<>(List.of("value")))));
      list.add(new Node[3]);
      list.add(list.get(3));
      out.writeObject(list);
      out.writeObject(new Node(3, null));
    }
    return bytes.toByteArray();
  }

  private static void read(byte[] message, ObjectInputFilter filter) throws Exception {
    try (ObjectInputStream in = Wire.open(message)) {
      if (filter != null) {
        in.setObjectInputFilter(filter);
      }
      see("list", ((List<?>) in.readObject()).size());
      see("node", ((Node) in.readObject()).number);
    }
  }

  /** All but the number of bytes, which depends on the format. */
  private static String shown(RecordedEvent event) {
    return named(event.getClass("type"))
        + " "
        + event.getInt("arrayLength")
        + " at "
        + event.getLong("depth")
        + ", "
        + event.getLong("objectReferences")
        + " so far: "
        + event.getBoolean("filterConfigured")
        + " "
        + event.getString("filterStatus")
        + " "
        + named(event.getClass("exceptionType"))
        + " "
        + event.getString("exceptionMessage");
  }

  private static String named(RecordedClass type) {
    return type == null ? "none" : type.getName();
  }

  private static void record(boolean wanted, ObjectInputFilter filter) throws Exception {
    byte[] message = message();
    Path file = Files.createTempFile("deserialization", ".jfr");
    try (Recording recording = new Recording()) {
      if (wanted) {
        recording.enable("jdk.Deserialization");
      }
      recording.start();
      attempt(
          "reading",
          () -> {
            read(message, filter);
            return "read";
          });
      recording.stop();
      recording.dump(file);
    }
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals("jdk.Deserialization")
          && event.getThread().getJavaThreadId() == Thread.currentThread().getId()) {
        see("bytes", event.getLong("bytesRead") <= message.length);
        see("stack", event.getStackTrace() != null);
        see("event", shown(event));
      }
    }
    Files.delete(file);
  }

  @Test
  public void itLearnsOfEveryClassArrayAndReference() throws Exception {
    record(true, null);
  }

  @Test
  public void itLearnsWhatTheFilterSaid() throws Exception {
    record(true, info -> info.serialClass() == Node.class ? Status.ALLOWED : Status.UNDECIDED);
    record(true, info -> info.serialClass() == Node.class ? Status.REJECTED : Status.UNDECIDED);
    record(true, info -> null);
    record(
        true,
        info -> {
          if (info.arrayLength() == 5) {
            throw new IllegalStateException("no five");
          }
          return Status.UNDECIDED;
        });
  }

  @Test
  public void itIsToldNothingThatItHasNotAskedFor() throws Exception {
    record(false, null);
    record(false, info -> Status.ALLOWED);
  }
}
