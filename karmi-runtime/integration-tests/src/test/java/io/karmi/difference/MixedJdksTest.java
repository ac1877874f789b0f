package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.difference.programs.Callers;
import io.karmi.difference.programs.Collected;
import io.karmi.difference.programs.Copies;
import io.karmi.difference.programs.Exceptions;
import io.karmi.difference.programs.Exports;
import io.karmi.difference.programs.Failures;
import io.karmi.difference.programs.Filters;
import io.karmi.difference.programs.HandWritten;
import io.karmi.difference.programs.Leaks;
import io.karmi.difference.programs.Loaders;
import io.karmi.difference.programs.Logged;
import io.karmi.difference.programs.Mixed;
import io.karmi.difference.programs.Names;
import io.karmi.difference.programs.Program;
import io.karmi.difference.programs.Relics;
import io.karmi.difference.programs.Settings;
import io.karmi.difference.programs.Signatures;
import io.karmi.difference.programs.Sockets;
import io.karmi.difference.programs.Stored;
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

  /**
   * All programs that have two ends, but for the long one of many callers, who see no JDK. Those of
   * a list share a JVM at each end; the last one halts its server.
   */
  @Parameters(name = "{0}")
  public static List<List<Class<? extends Program>>> programs() {
    return List.of(
        List.of(
            Exceptions.class,
            Signatures.class,
            Exports.class,
            Callers.class,
            HandWritten.class,
            Loaders.class,
            Filters.class,
            Stored.class,
            Relics.class,
            Mixed.class,
            Leaks.class,
            Sockets.class,
            Logged.class,
            Failures.class),
        List.of(Collected.class),
        List.of(Copies.class),
        List.of(Names.class),
        List.of(Settings.class));
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
