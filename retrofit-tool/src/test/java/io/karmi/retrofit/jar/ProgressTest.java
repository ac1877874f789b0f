package io.karmi.retrofit.jar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** What a terminal is shown, by a clock that the test sets. */
public class ProgressTest {
  private static final long SECOND = 1_000_000_000L;

  private long now = 7;

  @Test
  public void barSaysWhatIsLeftOnceEnoughIsDone() {
    ByteArrayOutputStream terminal = new ByteArrayOutputStream();
    Progress progress = new Progress(new PrintStream(terminal, true), 200, () -> now);
    progress.step("a.jar", 0);
    now += SECOND;
    progress.step("a.jar", 2);
    now += 2 * SECOND;
    progress.step("b.jar", 50);
    progress.step("c.jar", 51);
    assertThat(terminal.toString(StandardCharsets.UTF_8).strip())
        .matches("\\[#\\.{19}] 1% a\\.jar\\r +\\r\\[#{5}\\.{15}] 25% about 9 s left b\\.jar");
  }
}
