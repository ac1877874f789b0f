package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Program;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Both ends on KaRMI over UCX; skipped where that is not installed.
 *
 * <p>A node that cannot use UCX from the start says so in a line of its log, which counts as
 * printed by the program; one that goes on over TCP later does not, so the calls over UCX are
 * counted.
 */
@RunWith(Parameterized.class)
public class UcxDifferenceTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  @Parameter public List<Class<? extends Program>> programs;

  @BeforeClass
  public static void assumeUcx() {
    Ucx.assumeInstalled();
  }

  @Parameters(name = "{0}")
  public static List<List<Class<? extends Program>>> programs() {
    return WaysDifferenceTest.programs();
  }

  @Test
  public void programsSeeTheSameOverUcx() throws Exception {
    Side ucx = Ucx.side(FOLDER.getRoot().toPath());
    assertThat(Run.over("ucx", ucx, programs)).isEqualTo(Run.onStock(programs));
  }
}
