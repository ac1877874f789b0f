package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Accepting;
import io.karmi.difference.programs.Callers;
import io.karmi.difference.programs.Collected;
import io.karmi.difference.programs.Copies;
import io.karmi.difference.programs.Crowd;
import io.karmi.difference.programs.Exceptions;
import io.karmi.difference.programs.Exports;
import io.karmi.difference.programs.Failures;
import io.karmi.difference.programs.Filters;
import io.karmi.difference.programs.HandWritten;
import io.karmi.difference.programs.Leaks;
import io.karmi.difference.programs.Lifetime;
import io.karmi.difference.programs.Loaders;
import io.karmi.difference.programs.Logged;
import io.karmi.difference.programs.Messages;
import io.karmi.difference.programs.Mixed;
import io.karmi.difference.programs.Names;
import io.karmi.difference.programs.Ports;
import io.karmi.difference.programs.Program;
import io.karmi.difference.programs.Provided;
import io.karmi.difference.programs.Proxies;
import io.karmi.difference.programs.Relics;
import io.karmi.difference.programs.Renamed;
import io.karmi.difference.programs.Settings;
import io.karmi.difference.programs.Signatures;
import io.karmi.difference.programs.Sockets;
import io.karmi.difference.programs.Stored;
import io.karmi.difference.programs.Switches;
import io.karmi.difference.programs.Wrapped;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.util.List;
import org.junit.Test;

/**
 * Runs each program on stock RMI and on KaRMI, both ends in JVMs of their own. Those that change
 * nothing for others share a JVM at each end.
 */
public class DifferenceTest {
  /**
   * Programs that can share a JVM at each end; the last one halts its server. They show exceptions
   * and what these say, signatures, exports, callers, ports, names, copies, stubs of a program's
   * own, loaders, filters, what is stored, what is left of older versions, references in all
   * positions, what is forgotten, sockets of a program's own, the log of calls, and failures.
   */
  static final List<Class<? extends Program>> TOGETHER =
      List.of(
          Exceptions.class,
          Messages.class,
          Signatures.class,
          Exports.class,
          Callers.class,
          Ports.class,
          Names.class,
          Copies.class,
          HandWritten.class,
          Loaders.class,
          Filters.class,
          Stored.class,
          Relics.class,
          Mixed.class,
          Leaks.class,
          Sockets.class,
          Logged.class,
          Failures.class);

  private static void assertSame(Class<? extends Program> program) throws Exception {
    assertThat(Run.of(Side.KARMI, Side.KARMI, program)).isEqualTo(Run.onStock(program));
  }

  @Test
  public void programsThatShareAJvmSeeTheSame() throws Exception {
    assertThat(Run.of(Side.KARMI, Side.KARMI, TOGETHER)).isEqualTo(Run.onStock(TOGETHER));
  }

  @Test
  public void hostThatIsNamedLateIsTheSame() throws Exception {
    assertSame(Renamed.class);
  }

  @Test
  public void proxiesThatAServerInsistsOnAreTheSame() throws Exception {
    assertSame(Proxies.class);
  }

  @Test
  public void socketsThatFailToAcceptEndNoPort() throws Exception {
    assertSame(Accepting.class);
  }

  @Test
  public void socketsThatBufferAndKnowNoTimeoutWorkTheSame() throws Exception {
    assertSame(Wrapped.class);
  }

  @Test
  public void manyCallersAtOnceSeeTheSame() throws Exception {
    assertSame(Crowd.class);
  }

  @Test
  public void whatAnOperatorTurnsOnIsTheSame() throws Exception {
    assertSame(Switches.class);
  }

  @Test
  public void ownProvidersOfClassesAreAskedTheSame() throws Exception {
    assertSame(Provided.class);
  }

  @Test
  public void settingsOfAnOperatorAreHonouredTheSame() throws Exception {
    assertSame(Settings.class);
  }

  @Test
  public void theSameIsCollected() throws Exception {
    assertSame(Collected.class);
  }

  @Test
  public void countingCollectsTheSame() throws Exception {
    Side counting = new Side("karmi-counting", Jdks.own());
    assertThat(Run.of(counting, counting, Collected.class)).isEqualTo(Run.onStock(Collected.class));
  }

  @Test
  public void serverEndsWithItsLastExport() throws Exception {
    for (Side side : List.of(Side.STOCK, Side.KARMI)) {
      int port = FreePort.any();
      try (Jvm server = Run.server(side, Lifetime.class, port);
          Jvm client = side.start("call", Lifetime.class, port)) {
        client.everything();
        assertThat(Run.observed("client", client)).containsExactly("client died");
        assertThat(server.ended()).as(side.stack()).isTrue();
      }
    }
  }
}
