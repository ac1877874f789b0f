package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.difference.programs.Crowd;
import io.karmi.difference.programs.Exceptions;
import io.karmi.difference.programs.Exports;
import io.karmi.difference.programs.Filters;
import io.karmi.difference.programs.HandWritten;
import io.karmi.difference.programs.Mixed;
import io.karmi.difference.programs.Names;
import io.karmi.difference.programs.Program;
import io.karmi.difference.programs.RegistryOnly;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/**
 * One end has KaRMI, the other has not even its classes: what both see must be what they see when
 * both are on stock RMI.
 */
public class InteroperationTest {
  private static void assertBothWays(Class<? extends Program> program) throws Exception {
    String stock = run("stock", "stock", program);
    assertThat(stock.lines().count()).as("what stock RMI shows").isGreaterThan(2);
    assertThat(run("karmi", "stock", program)).as("server with KaRMI").isEqualTo(stock);
    assertThat(run("stock", "karmi", program)).as("client with KaRMI").isEqualTo(stock);
  }

  private static String run(
      String serverStack, String clientStack, Class<? extends Program> program) throws Exception {
    return run(Jdks.own(), serverStack, Jdks.own(), clientStack, program);
  }

  private static String run(
      Path serverJdk,
      String serverStack,
      Path clientJdk,
      String clientStack,
      Class<? extends Program> program)
      throws Exception {
    int port = End.anyFreePort();
    try (End server = End.server(serverJdk, serverStack, program, port);
        End client = End.client(clientJdk, clientStack, program, port)) {
      List<String> observed = new ArrayList<>(server.observed());
      observed.addAll(client.observed());
      return String.join("\n", observed);
    }
  }

  @Test
  public void referencesCrossBothWays() throws Exception {
    assertBothWays(Mixed.class);
  }

  @Test
  public void referencesCrossBetweenVersionsOfTheJdk() throws Exception {
    Path other = Jdks.other().orElse(null);
    assumeTrue("needs a second JDK: -Dkarmi.test.otherJdk=<its folder>", other != null);
    String stock = run("stock", "stock", Mixed.class);
    for (List<String> stacks : List.of(List.of("karmi", "stock"), List.of("stock", "karmi"))) {
      String server = stacks.get(0);
      String client = stacks.get(1);
      assertThat(run(Jdks.own(), server, other, client, Mixed.class))
          .as("server on %s, client on %s of %s", server, client, other)
          .isEqualTo(stock);
      assertThat(run(other, server, Jdks.own(), client, Mixed.class))
          .as("server on %s of %s, client on %s", server, other, client)
          .isEqualTo(stock);
    }
  }

  @Test
  public void serverMayRefusePeersWithoutKarmi() throws Exception {
    assertThat(run("karmi-only", "stock", RegistryOnly.class))
        .contains("java.rmi.ConnectIOException");
    assertThat(run("karmi-only", "karmi", RegistryOnly.class)).isEmpty();
  }

  @Test
  public void exceptionsCrossBothWays() throws Exception {
    assertBothWays(Exceptions.class);
  }

  @Test
  public void namesAreTheSame() throws Exception {
    assertBothWays(Names.class);
  }

  @Test
  public void exportsAreTheSame() throws Exception {
    assertBothWays(Exports.class);
  }

  /* The other way a serializable object is read by the loader of KaRMI, above that of the programs. */
  @Test
  public void filtersOfAServerWithKarmiSeeTheSame() throws Exception {
    assertThat(run("karmi", "stock", Filters.class))
        .isEqualTo(run("stock", "stock", Filters.class));
  }

  @Test
  public void stubsThatAProgramMakesItselfAreTheSame() throws Exception {
    assertBothWays(HandWritten.class);
  }

  @Test
  public void manyCallersAtOnceSeeTheSame() throws Exception {
    assertBothWays(Crowd.class);
  }
}
