package io.karmi.retrofit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

public class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    return Main.run(new PrintStream(out), new PrintStream(err), arguments);
  }

  @Test
  public void jarSaysWhatItIsAndHowToUseIt() {
    assertThat(run()).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("This is KaRMI", "-javaagent:karmi.jar", "karmi-retrofit");
  }

  @Test
  public void versionNamesVersionCommitAndJdk() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .matches(
            "KaRMI \\S+, commit \\S.*, JDK " + Runtime.version().feature() + "\\S* \\(.*\\)\\s+");
  }

  @Test
  public void unknownArgumentIsWrongUsage() {
    assertThat(run("serve")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("serve").hasLineCount(1);
  }
}
