package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.difference.programs.Collected;
import io.karmi.difference.programs.Program;
import io.karmi.difference.programs.Settings;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * The two ends on JDKs of different versions: the server on that of the tests, the client on the
 * other one. So the tests show both directions if they run on both JDKs.
 */
@RunWith(Parameterized.class)
public class MixedJdksTest {
  @Parameter public List<Class<? extends Program>> programs;

  /** All programs that have two ends, but for the long one of many callers, who see no JDK. */
  @Parameters(name = "{0}")
  public static List<List<Class<? extends Program>>> programs() {
    return List.of(DifferenceTest.TOGETHER, List.of(Collected.class), List.of(Settings.class));
  }

  @Test
  public void versionsOfTheJdkThatAreMixedSeeTheSame() throws Exception {
    Path other = Jdks.other().orElse(null);
    assumeTrue("no JDK of another version; -Dkarmi.test.otherJdk names one", other != null);
    assertThat(Run.of(Side.KARMI, Side.KARMI.on(other), programs))
        .as("server on %s, client on %s", Jdks.own(), other)
        .isEqualTo(Run.onStock(programs));
  }
}
