package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Copies;
import io.karmi.difference.programs.Exceptions;
import io.karmi.difference.programs.Exports;
import io.karmi.difference.programs.HandWritten;
import io.karmi.difference.programs.Lifetime;
import io.karmi.difference.programs.Names;
import io.karmi.difference.programs.Program;
import java.util.List;
import org.junit.Test;

/** Runs each program on stock RMI and on KaRMI, both ends in JVMs of their own. */
public class DifferenceTest {
  private static void assertSame(Class<? extends Program> program) throws Exception {
    List<String> stock = TwoJvms.run("stock", program);
    List<String> karmi = TwoJvms.run("karmi", program);
    assertThat(stock).as("what stock RMI shows").hasSizeGreaterThan(2);
    assertThat(String.join("\n", karmi)).isEqualTo(String.join("\n", stock));
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
  public void serverEndsWithItsLastExport() throws Exception {
    List<String> observed = TwoJvms.run("karmi", Lifetime.class);
    assertThat(observed).contains("client died", "server has ended by itself");
    assertThat(TwoJvms.run("stock", Lifetime.class)).isEqualTo(observed);
  }
}
