package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
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
    int port = End.anyFreePort();
    try (End server = End.server(stack, program, port);
        End client = End.client(stack, program, port)) {
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
