package io.karmi.uka.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import org.junit.Test;

/**
 * Filters that a whole JVM has, by property or by factory: one JVM with the JDK's streams, one with
 * ours.
 */
public class JvmWideFiltersTest {

  static class Allowed implements Serializable {
    Object content = "x";
  }

  static class Refused extends Allowed {}

  /** Looks at how the stream describes it, for which a stream of the JDK's is made. */
  static class Described extends Refused {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      System.out.println("read fields of " + in.readFields().getObjectStreamClass().getName());
    }
  }

  /** Reports what it is asked to merge. */
  public static final class ReportingFactory implements BinaryOperator<ObjectInputFilter> {
    /** For the JVM, which makes it by name. */
    public ReportingFactory() {}

    @Override
    public ObjectInputFilter apply(ObjectInputFilter current, ObjectInputFilter next) {
      System.out.println("merge " + (current != null) + " " + (next != null));
      return next == null ? current : ObjectInputFilter.merge(next, current);
    }
  }

  /** What both JVMs run; the argument says with which streams. */
  public static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws Exception {
      boolean ours = arguments[0].equals("uka");
      for (Object object :
          Boolean.getBoolean("described")
              ? new Object[] {new Described()}
              : new Object[] {new Allowed(), new Refused(), new int[50], nested(8), "text"}) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out =
            ours ? new UkaObjectOutputStream(bytes) : new ObjectOutputStream(bytes)) {
          out.writeObject(object);
          out.writeObject(object);
        }
        report(bytes.toByteArray(), ours, null);
        report(bytes.toByteArray(), ours, info -> Status.ALLOWED);
        report(
            bytes.toByteArray(),
            ours,
            info -> info.serialClass() == Allowed.class ? Status.REJECTED : Status.UNDECIDED);
      }
    }

    private static Object nested(int depth) {
      Allowed allowed = new Allowed();
      allowed.content = depth == 0 ? "end" : nested(depth - 1);
      return allowed;
    }

    private static void report(byte[] bytes, boolean ours, ObjectInputFilter filter)
        throws Exception {
      ByteArrayInputStream source = new ByteArrayInputStream(bytes);
      try (ObjectInputStream in =
          ours ? new UkaObjectInputStream(source) : new ObjectInputStream(source)) {
        System.out.println("filter at first " + (in.getObjectInputFilter() != null));
        if (filter != null) {
          in.setObjectInputFilter(filter);
        }
        System.out.println("read " + in.readObject().getClass().getSimpleName());
        if (filter == null && Boolean.getBoolean("late")) {
          in.setObjectInputFilter(info -> Status.REJECTED);
          System.out.println("read " + in.readObject().getClass().getSimpleName());
        }
      } catch (IOException | RuntimeException e) {
        System.out.println(
            "refused " + (filter == null && Boolean.getBoolean("late") ? e.getClass() : e));
      }
    }
  }

  private static List<String> outputOf(String streams, String... properties) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(properties));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(Program.class.getName());
    command.add(streams);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output.lines().filter(line -> line.matches("(merge|read|refused|filter).*")).toList();
  }

  private static void agree(String... properties) throws Exception {
    List<String> jdk = outputOf("jdk", properties);
    assertThat(jdk)
        .anyMatch(line -> line.startsWith("read"))
        .anyMatch(line -> line.startsWith("refused"));
    assertThat(outputOf("uka", properties)).isEqualTo(jdk);
  }

  @Test
  public void filterOfAPropertyIsAsked() throws Exception {
    agree("-Djdk.serialFilter=!" + Refused.class.getName() + ";maxdepth=5;maxarray=40");
  }

  @Test
  public void filterOfAStreamTakesItsPlaceForDescriptionsToo() throws Exception {
    agree("-Ddescribed=true", "-Djdk.serialFilter=!" + Refused.class.getName());
  }

  @Test
  public void filterIsFinalOnceAnObjectHasBeenRead() throws Exception {
    agree("-Dlate=true");
  }

  @Test
  public void propertyLetsFilterBeSetLate() throws Exception {
    agree("-Dlate=true", "-Djdk.serialSetFilterAfterRead=true");
  }

  /** The JDK refuses such a filter, by what only the JDK's factory lets a subclass bring about. */
  @Test
  public void filterThatIsSetLateCountsWhereAFactoryTakesIt() throws Exception {
    String[] properties = {
      "-Dlate=true", "-Djdk.serialFilterFactory=" + ReportingFactory.class.getName()
    };
    assertThat(outputOf("uka", properties))
        .filteredOn(line -> line.startsWith("read"))
        .isEqualTo(
            outputOf("jdk", properties).stream().filter(line -> line.startsWith("read")).toList());
  }

  @Test
  public void filtersOfStreamsAreMergedByTheFactoryOfAProperty() throws Exception {
    agree(
        "-Djdk.serialFilterFactory=" + ReportingFactory.class.getName(),
        "-Djdk.serialFilter=!" + Refused.class.getName());
  }
}
