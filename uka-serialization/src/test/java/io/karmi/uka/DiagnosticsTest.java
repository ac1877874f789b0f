package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.Test;

/**
 * What the JDK's streams tell a developer or operator who asks for it, in a JVM that has been
 * asked; ours tell the same.
 */
public class DiagnosticsTest {

  /** Not serializable. */
  static final class Stranger {
    @Override
    public String toString() {
      return "stranger";
    }
  }

  static class Parent implements Serializable {
    private static final long serialVersionUID = 1;
    Object inParent;

    @Override
    public String toString() {
      return getClass().getSimpleName();
    }
  }

  static class Child extends Parent {
    private static final long serialVersionUID = 1;
    Comparable<?> other = "text";
    Object[] array;
    Object inChild;
  }

  static class Custom extends Parent {
    private static final long serialVersionUID = 1;
    transient Object written;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeObject("before");
      out.writeObject(written);
    }
  }

  static class Putting extends Parent {
    private static final long serialVersionUID = 1;
    transient Object put;

    private static final java.io.ObjectStreamField[] serialPersistentFields = {
      new java.io.ObjectStreamField("number", int.class),
      new java.io.ObjectStreamField("named", Object.class)
    };

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.putFields().put("named", put);
      out.writeFields();
    }
  }

  /** Goes on when an element is refused. */
  static class Patient extends Parent {
    private static final long serialVersionUID = 1;
    transient Object written;

    private void writeObject(ObjectOutputStream out) throws IOException {
      try {
        out.writeObject(new Object[] {new Stranger()});
      } catch (NotSerializableException e) {
        out.writeInt(1);
      }
      out.writeObject(written);
    }
  }

  /** An externalizable object. */
  public static class External implements Externalizable {
    private static final long serialVersionUID = 1;

    /** For the stream. */
    public External() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(new Stranger());
    }

    @Override
    public void readExternal(ObjectInput in) {}

    @Override
    public String toString() {
      return "external";
    }
  }

  record Pair(int number, Object second) implements Serializable {
    private static final long serialVersionUID = 1;
  }

  private interface Opener {
    ObjectOutputStream open(ByteArrayOutputStream to) throws IOException;
  }

  private interface InputOpener {
    ObjectInputStream open(ByteArrayInputStream from) throws IOException;
  }

  private static List<Object> refused() {
    Stranger stranger = new Stranger();
    Parent parent = new Parent();
    parent.inParent = stranger;
    Child child = new Child();
    child.inParent = parent;
    Child deeper = new Child();
    deeper.array = new Object[] {1, null, new Object[] {"a", child}};
    Child last = new Child();
    last.inChild = stranger;
    Custom custom = new Custom();
    custom.written = last;
    Custom byDefault = new Custom();
    byDefault.inParent = custom;
    Putting putting = new Putting();
    putting.put = deeper;
    Patient patient = new Patient();
    patient.written = putting;
    return Arrays.asList(
        stranger,
        parent,
        child,
        deeper,
        last,
        custom,
        byDefault,
        putting,
        patient,
        new External(),
        new Pair(1, new Pair(2, stranger)),
        new Object[] {"a", stranger},
        new Stranger[] {stranger},
        new Object[][] {{new External()}},
        new ArrayList<>(List.of("a", stranger)),
        new LinkedList<>(List.of(stranger)),
        new HashMap<>(Map.of("key", parent)),
        Map.entry("key", stranger),
        Arrays.asList(1, custom));
  }

  private static List<String> complaints(Opener opener) throws IOException {
    List<String> messages = new ArrayList<>();
    for (Object object : refused()) {
      for (int i = 0; i < 2; i++) {
        ObjectOutputStream out = opener.open(new ByteArrayOutputStream());
        try {
          if (i == 1) {
            out.writeObject(new Child());
            out.writeObject(new Custom());
          }
          out.writeObject(object);
          messages.add("written: " + object);
        } catch (NotSerializableException e) {
          messages.add(e.getMessage());
        }
      }
    }
    return messages;
  }

  private static byte[] stock(Object... objects) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      for (Object object : objects) {
        out.writeObject(object);
      }
    }
    return bytes.toByteArray();
  }

  private static List<String> logged(InputOpener opener) throws Exception {
    List<String> records = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            if (record.getMessage().startsWith("ObjectInputFilter")) {
              records.add(described(record));
            }
          }

          private String described(LogRecord record) {
            return record.getLevel()
                + " "
                + record.getMessage()
                + " "
                + Arrays.toString(record.getParameters());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("java.io.serialization");
    logger.setUseParentHandlers(false);
    logger.setLevel(Level.FINER);
    logger.addHandler(handler);
    byte[] bytes = stock(new Child(), new int[1500], "text", new Pair(1, new int[3]), new Child());
    for (ObjectInputFilter filter :
        List.<ObjectInputFilter>of(
            info -> ObjectInputFilter.Status.ALLOWED,
            info -> info.arrayLength() > 1000 ? ObjectInputFilter.Status.REJECTED : null,
            info ->
                info.serialClass() == Pair.class
                    ? ObjectInputFilter.Status.REJECTED
                    : ObjectInputFilter.Status.UNDECIDED,
            info -> {
              throw new IllegalStateException("filter");
            })) {
      ObjectInputStream in = opener.open(new ByteArrayInputStream(bytes));
      in.setObjectInputFilter(filter);
      try {
        while (true) {
          in.readObject();
        }
      } catch (IOException e) {
        records.add("" + e);
      }
    }
    ObjectInputStream unfiltered = opener.open(new ByteArrayInputStream(bytes));
    unfiltered.readObject();
    logger.removeHandler(handler);
    return records;
  }

  /** Of a JVM that has been asked for more than it says by default. */
  public static final class Program {
    private Program() {}

    /** Throws an error if the streams differ. */
    public static void main(String[] arguments) throws Exception {
      for (UkaOptions.Format format : UkaOptions.Format.values()) {
        assertThat(complaints(to -> new UkaObjectOutputStream(to, new UkaOptions(format))))
            .as("%s", format)
            .containsExactlyElementsOf(complaints(ObjectOutputStream::new));
      }
      assertThat(complaints(ObjectOutputStream::new))
          .anyMatch(message -> message.contains("custom writeObject data"));
      List<String> stock = logged(ObjectInputStream::new);
      assertThat(stock).anyMatch(r -> r.startsWith("FINE ")).anyMatch(r -> r.startsWith("FINER "));
      assertThat(logged(UkaObjectInputStream::new)).containsExactlyElementsOf(stock);
      System.out.println("the same");
    }
  }

  @Test
  public void pathsToWhatIsRefusedAndTheLogOfFiltersAreTheJdks() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dsun.io.serialization.extendedDebugInfo=true",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Program.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
      assertThat(output).endsWith("the same" + System.lineSeparator());
    } finally {
      process.destroyForcibly();
    }
  }
}
