package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** How the end of a program is seen. */
public class JvmTest {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

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
  public void aProcessThatTheSystemForgotIsNotWaitedForWhateverItsObjectSays() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    assertThat(ended.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(Jvm.end(ended, PATIENCE_NANOS)).isEqualTo(Jvm.End.KNOWN);
    assertThat(Jvm.end(new Untold(ended), PATIENCE_NANOS)).isEqualTo(Jvm.End.GONE);
  }

  @Test
  public void aProcessThatLivesIsSaidToLive() throws Exception {
    Process alive = new ProcessBuilder("cat").start();
    try {
      assertThat(Jvm.end(alive, 1)).isEqualTo(Jvm.End.ALIVE);
    } finally {
      alive.destroyForcibly();
    }
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

  /** A process that has ended, and an object that was not told. */
  private static final class Untold extends Process {
    private final Process ended;

    Untold(Process ended) {
      this.ended = ended;
    }

    @Override
    public ProcessHandle toHandle() {
      return ended.toHandle();
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) {
      return false;
    }

    @Override
    public boolean isAlive() {
      return true;
    }

    @Override
    public int waitFor() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int exitValue() {
      throw new IllegalThreadStateException();
    }

    @Override
    public void destroy() {
      throw new UnsupportedOperationException();
    }

    @Override
    public OutputStream getOutputStream() {
      return ended.getOutputStream();
    }

    @Override
    public InputStream getInputStream() {
      return ended.getInputStream();
    }

    @Override
    public InputStream getErrorStream() {
      return ended.getErrorStream();
    }
  }
}
