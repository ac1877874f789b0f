package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Crowd;
import io.karmi.difference.programs.Program;
import io.karmi.difference.programs.Settings;
import io.karmi.difference.programs.Sockets;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Both ends on KaRMI over each technology that every Linux has, chosen by its setting. */
@RunWith(Parameterized.class)
public class WaysDifferenceTest {
  @Parameter public String technology;

  @Parameter(1)
  public Class<? extends Program> program;

  /** Each technology with each program. */
  @Parameters(name = "{0}, {1}")
  public static List<Object[]> all() {
    List<Class<? extends Program>> programs = new ArrayList<>(MixedJdksTest.programs());
    programs.remove(Settings.class); // brings its own sockets, which are TCP
    programs.remove(Sockets.class); // likewise
    programs.remove(Crowd.class); // takes as long as all others, and knows no technology
    List<Object[]> all = new ArrayList<>();
    for (String technology : List.of("tcp", "uds", "shm")) {
      programs.forEach(program -> all.add(new Object[] {technology, program}));
    }
    return all;
  }

  @Test
  public void programsSeeTheSameOverTheTechnology() throws Exception {
    String names = technology.equals("tcp") ? technology : technology + ",tcp";
    Side side = Side.KARMI.with("-Dkarmi.technologies=" + names);
    assertThat(Run.over(technology, side, program)).isEqualTo(Run.onStock(program));
  }
}
