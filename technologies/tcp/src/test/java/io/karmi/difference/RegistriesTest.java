package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Elsewhere;
import io.karmi.difference.programs.RegistryOnly;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Objects in registries of other JVMs: those of stock RMI, and KaRMI's own command. */
public class RegistriesTest {
  private static List<String> run(String stack, int port) throws Exception {
    try (End server = End.server(stack, Elsewhere.class, port);
        End client = End.client(stack, Elsewhere.class, port)) {
      List<String> observed = new ArrayList<>(server.observed());
      observed.addAll(client.observed());
      return observed;
    }
  }

  private static List<String> allOnStock() throws Exception {
    int port = End.anyFreePort();
    try (End registry = End.server("stock", RegistryOnly.class, port)) {
      List<String> observed = run("stock", port);
      assertThat(observed).as("what stock RMI shows").contains("client add: 3");
      assertThat(registry.observed()).isEmpty();
      return observed;
    }
  }

  @Test
  public void stockRegistryKeepsStubsOfKarmi() throws Exception {
    int port = End.anyFreePort();
    try (End registry = End.server("stock", RegistryOnly.class, port)) {
      assertThat(String.join("\n", run("karmi", port))).isEqualTo(String.join("\n", allOnStock()));
      assertThat(registry.observed()).isEmpty();
    }
  }

  @Test
  public void registryCommandNeedsNoClassOfTheProgram() throws Exception {
    int port = End.anyFreePort();
    try (End registry =
        End.command("io.karmi.registry.KarmiRegistry", String.valueOf(port), "karmi-registry")) {
      assertThat(String.join("\n", run("karmi", port))).isEqualTo(String.join("\n", allOnStock()));
      assertThat(registry.observed()).hasSize(1);
    }
  }
}
