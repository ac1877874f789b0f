package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Collected;
import io.karmi.difference.programs.Copies;
import io.karmi.difference.programs.Crowd;
import io.karmi.difference.programs.Exceptions;
import io.karmi.difference.programs.Exports;
import io.karmi.difference.programs.Filters;
import io.karmi.difference.programs.HandWritten;
import io.karmi.difference.programs.Leaks;
import io.karmi.difference.programs.Lifetime;
import io.karmi.difference.programs.Names;
import io.karmi.difference.programs.Program;
import io.karmi.difference.programs.Relics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.Assume;
import org.junit.Test;

/** Runs each program on stock RMI and on KaRMI, both ends in JVMs of their own. */
public class DifferenceTest {
  private static void assertSame(Class<? extends Program> program) throws Exception {
    List<String> stock = run("stock", program);
    List<String> karmi = run("karmi", program);
    assertThat(stock).as("what stock RMI shows").hasSizeGreaterThan(2);
    assertThat(String.join("\n", karmi)).isEqualTo(String.join("\n", stock));
  }

  private static List<String> run(String stack, Class<? extends Program> program) throws Exception {
    return run(stack, Jdks.own(), Jdks.own(), program);
  }

  private static List<String> run(
      String stack, Path serversJdk, Path clientsJdk, Class<? extends Program> program)
      throws Exception {
    int port = End.anyFreePort();
    try (End server = End.server(serversJdk, stack, program, port);
        End client = End.client(clientsJdk, stack, program, port)) {
      List<String> observed = new ArrayList<>(server.observed());
      observed.addAll(client.observed());
      return observed;
    }
  }

  @Test
  public void exceptionsAreTheSame() throws Exception {
    assertSame(Exceptions.class);
  }

  @Test
  public void copiesAreTheSame() throws Exception {
    assertSame(Copies.class);
  }

  @Test
  public void exportsAreTheSame() throws Exception {
    assertSame(Exports.class);
  }

  @Test
  public void namesAreTheSame() throws Exception {
    assertSame(Names.class);
  }

  @Test
  public void stubsThatAProgramMakesItselfAreTheSame() throws Exception {
    assertSame(HandWritten.class);
  }

  @Test
  public void filtersSeeTheSame() throws Exception {
    assertSame(Filters.class);
  }

  @Test
  public void manyCallersAtOnceSeeTheSame() throws Exception {
    assertSame(Crowd.class);
  }

  @Test
  public void theSameIsForgotten() throws Exception {
    assertSame(Leaks.class);
  }

  @Test
  public void relicsAreTheSame() throws Exception {
    assertSame(Relics.class);
  }

  @Test
  public void theSameIsCollected() throws Exception {
    assertSame(Collected.class);
  }

  @Test
  public void countingCollectsTheSame() throws Exception {
    assertThat(String.join("\n", run("karmi-counting", Collected.class)))
        .isEqualTo(String.join("\n", run("stock", Collected.class)));
  }

  @Test
  public void versionsOfTheJdkThatAreMixedSeeTheSame() throws Exception {
    Optional<Path> other = Jdks.other();
    Assume.assumeTrue(
        "no JDK of another version; -Dkarmi.test.otherJdk names one", other.isPresent());
    for (Class<? extends Program> program : List.of(Exceptions.class, Copies.class)) {
      assertSameMixed(program, Jdks.own(), other.get());
      assertSameMixed(program, other.get(), Jdks.own());
    }
  }

  private static void assertSameMixed(
      Class<? extends Program> program, Path serversJdk, Path clientsJdk) throws Exception {
    assertThat(String.join("\n", run("karmi", serversJdk, clientsJdk, program)))
        .as("%s, server on %s, client on %s", program, serversJdk, clientsJdk)
        .isEqualTo(String.join("\n", run("stock", serversJdk, clientsJdk, program)));
  }

  @Test
  public void serverEndsWithItsLastExport() throws Exception {
    for (String stack : List.of("stock", "karmi")) {
      int port = End.anyFreePort();
      try (End server = End.server(stack, Lifetime.class, port);
          End client = End.client(stack, Lifetime.class, port)) {
        assertThat(client.observed()).as(stack).containsExactly("client died");
        assertThat(server.ended()).as(stack).isTrue();
      }
    }
  }
}
