package io.karmi.uka.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.Test;

/** The JIT compiles generated code, whichever of its branches have run by then. */
public class CompiledAccessTest {
  @Test
  public void noGeneratedMethodIsGivenUpByTheJit() throws Exception {
    assertThat(compilationsOfGeneratedCode("")).allMatch(CompiledAccessTest::isNotGivenUp);
  }

  @Test
  public void noGeneratedMethodThatUsesHandlesIsGivenUpByTheJit() throws Exception {
    assertThat(compilationsOfGeneratedCode("handles")).allMatch(CompiledAccessTest::isNotGivenUp);
  }

  private static boolean isNotGivenUp(String compilation) {
    return !compilation.contains("not compilable")
        && !compilation.contains("could not resolve a constant")
        && !compilation.contains("cannot parse method");
  }

  /** What another JVM, with this strategy preferred, prints of them. */
  private static List<String> compilationsOfGeneratedCode(String strategy) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xbatch",
                "-XX:+PrintCompilation",
                "-Duka.access=" + strategy,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(said).contains(Program.DONE);
    List<String> lines = said.lines().filter(line -> line.contains("$$FieldAccess")).toList();
    assertThat(lines).anyMatch(line -> line.contains("::read"));
    return lines;
  }

  /** Reads objects of classes whose generated readers have branches that do not run. */
  static final class Program {
    static final String DONE = "all have been read";

    private static final int OBJECTS = 200;
    private static final int ROUNDS = 150;

    public static void main(String[] args) throws Exception {
      List<IntFunction<Object>> kinds =
          List.of(Extended::new, Resolving::new, Linked::new, Value::new);
      for (IntFunction<Object> kind : kinds) {
        for (int i = 0; i < ROUNDS; i++) {
          read(written(kind));
        }
      }
      System.out.println(DONE);
    }

    private static byte[] written(IntFunction<Object> kind) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new UkaObjectOutputStream(bytes)) {
        for (int i = 0; i < OBJECTS; i++) {
          out.writeObject(kind.apply(i));
        }
      }
      return bytes.toByteArray();
    }

    private static void read(byte[] bytes) throws Exception {
      try (ObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(bytes))) {
        for (int i = 0; i < OBJECTS; i++) {
          in.readObject();
        }
      }
    }
  }

  private static class Base implements Serializable {
    private static final long serialVersionUID = 1;

    double x;
    double y;
  }

  private static final class Extended extends Base {
    private static final long serialVersionUID = 1;

    final double z;

    Extended(int value) {
      z = value;
    }
  }

  private static final class Resolving implements Serializable {
    private static final long serialVersionUID = 1;

    final double x;
    final double y;

    Resolving(int value) {
      x = value;
      y = -value;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  private static final class Linked extends Base {
    private static final long serialVersionUID = 1;

    final Linked next;
    final String name;

    Linked(int value) {
      next = value == 0 ? null : new Linked(0);
      name = "linked";
    }
  }

  private record Value(int number, String name) implements Serializable {
    Value(int number) {
      this(number, "value");
    }
  }
}
