package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.difference.programs.Callers;
import io.karmi.difference.programs.Crowd;
import io.karmi.difference.programs.Exceptions;
import io.karmi.difference.programs.Exports;
import io.karmi.difference.programs.Failures;
import io.karmi.difference.programs.Filters;
import io.karmi.difference.programs.HandWritten;
import io.karmi.difference.programs.Loaders;
import io.karmi.difference.programs.Mixed;
import io.karmi.difference.programs.Names;
import io.karmi.difference.programs.Program;
import io.karmi.difference.programs.RegistryOnly;
import io.karmi.difference.programs.Renamed;
import io.karmi.difference.programs.Signatures;
import io.karmi.difference.programs.Sockets;
import io.karmi.difference.programs.Stored;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;

/**
 * One end has KaRMI, the other has not even its classes: what both see must be what they see when
 * both are on stock RMI.
 */
public class InteroperationTest {
  private static void assertBothWays(Class<? extends Program> program) throws Exception {
    assertBothWays(List.of(program));
  }

  private static void assertBothWays(List<Class<? extends Program>> programs) throws Exception {
    String stock = Run.onStock(programs);
    assertThat(Run.of(Side.KARMI, Side.STOCK, programs)).as("server with KaRMI").isEqualTo(stock);
    assertThat(Run.of(Side.STOCK, Side.KARMI, programs)).as("client with KaRMI").isEqualTo(stock);
  }

  /**
   * These programs share a JVM at each end; the last one halts its server. They cross exceptions,
   * references in all positions, exports, callers, names, stubs of a program's own and loaders.
   */
  @Test
  public void programsThatShareAJvmSeeTheSame() throws Exception {
    assertBothWays(
        List.of(
            Exceptions.class,
            Signatures.class,
            Exports.class,
            Callers.class,
            Names.class,
            HandWritten.class,
            Loaders.class,
            Mixed.class,
            Failures.class));
  }

  @Test
  public void referencesCrossBetweenVersionsOfTheJdk() throws Exception {
    Path other = Jdks.other().orElse(null);
    assumeTrue("needs a second JDK: -Dkarmi.test.otherJdk=<its folder>", other != null);
    String stock = Run.onStock(Mixed.class);
    for (List<Side> sides :
        List.of(List.of(Side.KARMI, Side.STOCK), List.of(Side.STOCK, Side.KARMI))) {
      Side server = sides.get(0);
      Side client = sides.get(1);
      assertThat(Run.of(server, client.on(other), Mixed.class))
          .as("server %s, client %s of %s", server, client, other)
          .isEqualTo(stock);
    }
  }

  @Test
  public void serverMayRefusePeersWithoutKarmi() throws Exception {
    Side exclusive = new Side("karmi-only", Jdks.own());
    assertThat(Run.of(exclusive, Side.STOCK, RegistryOnly.class))
        .contains("java.rmi.ConnectIOException");
    assertThat(Run.of(exclusive, Side.KARMI, RegistryOnly.class)).isEmpty();
  }

  @Test
  public void hostThatIsNamedLateIsTheSame() throws Exception {
    assertBothWays(Renamed.class);
  }

  /*
   * The other way a serializable object, and the factory in a stub, are of the loader of KaRMI, above
   * that of the programs.
   */
  @Test
  public void filtersAndSocketsOfAServerWithKarmiAreTheSame() throws Exception {
    List<Class<? extends Program>> both = List.of(Filters.class, Sockets.class);
    assertThat(Run.of(Side.KARMI, Side.STOCK, both)).isEqualTo(Run.onStock(both));
  }

  /* The other way a stub that was stored by KaRMI needs KaRMI to be read. */
  @Test
  public void whatIsStoredByAServerWithoutKarmiIsReadTheSame() throws Exception {
    assertThat(Run.of(Side.STOCK, Side.KARMI, Stored.class)).isEqualTo(Run.onStock(Stored.class));
  }

  @Test
  public void manyCallersAtOnceSeeTheSame() throws Exception {
    assertBothWays(Crowd.class);
  }
}
