package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.benchmarks.results.RunFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** How the end of a program is seen. */
public class JvmTest {

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void aProgramThatPrintsMoreThanAPipeHoldsAtItsEndDoesEnd() throws Exception {
    Jvm jvm = jvm("Flood");
    jvm.tellNoMore();
    jvm.awaitEnd();
    assertThat(jvm.hasPrinted("line 19999")).isTrue();
    jvm.destroy();
  }

  @Test
  public void aProgramThatFailsAtItsEndIsToldWithWhatItPrinted() throws Exception {
    Jvm jvm = jvm("Failing");
    jvm.tellNoMore();
    assertThatThrownBy(jvm::awaitEnd)
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("ended with 1")
        .hasMessageContaining("as it was told");
    jvm.destroy();
  }

  @Test
  public void aProgramThatDoesNotAnswerInTimeIsKilledAndTold() throws Exception {
    Jvm jvm = jvm("Silent");
    assertThatThrownBy(() -> jvm.await("an answer", 1))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("did not answer in 1 s");
    jvm.destroy();
  }

  private Jvm jvm(String program) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path classes =
        Path.of(JvmTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    return new Jvm(
        program,
        List.of(
            java.toString(), "-cp", classes.toString(), JvmTest.class.getName() + "$" + program),
        folder.getRoot().toPath());
  }

  /** Prints much more than 64 KiB. */
  static final class Flood {
    private Flood() {}

    public static void main(String[] arguments) {
      for (int i = 0; i < 20_000; i++) {
        System.out.println("line " + i);
      }
    }
  }

  /** Fails. */
  static final class Failing {
    private Failing() {}

    public static void main(String[] arguments) {
      throw new IllegalStateException("as it was told");
    }
  }

  /** Says nothing until its input ends. */
  static final class Silent {
    private Silent() {}

    public static void main(String[] arguments) throws IOException {
      while (System.in.read() >= 0) {
        /* Nothing is told. */
      }
    }
  }
}
