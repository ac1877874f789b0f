package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Elsewhere;
import io.karmi.difference.programs.Origin;
import io.karmi.difference.programs.Program;
import io.karmi.difference.programs.RegistryOnly;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Objects in registries of other JVMs: those of stock RMI, those of KaRMI, and its command. */
public class RegistriesTest {
  private static final List<String> STACKS = List.of("stock", "karmi");

  private static String run(
      String server, String client, Class<? extends Program> program, int port) throws Exception {
    try (End serverEnd = End.server(server, program, port);
        End clientEnd = End.client(client, program, port)) {
      List<String> observed = new ArrayList<>(serverEnd.observed());
      observed.addAll(clientEnd.observed());
      return String.join("\n", observed);
    }
  }

  private static String run(
      String registry, String server, String client, Class<? extends Program> program)
      throws Exception {
    int port = End.anyFreePort();
    try (End registryEnd = End.server(registry, RegistryOnly.class, port)) {
      String observed = run(server, client, program, port);
      assertThat(registryEnd.observed()).isEmpty();
      return observed;
    }
  }

  private static String allOnStock() throws Exception {
    String observed = run("stock", "stock", "stock", Elsewhere.class);
    assertThat(observed).as("what stock RMI shows").contains("client add: 3");
    return observed;
  }

  @Test
  public void everyRegistryServesEverybody() throws Exception {
    String stock = allOnStock();
    for (String registry : STACKS) {
      for (String server : STACKS) {
        for (String client : STACKS) {
          assertThat(run(registry, server, client, Elsewhere.class))
              .as("registry %s, server %s, client %s", registry, server, client)
              .isEqualTo(stock);
        }
      }
    }
  }

  @Test
  public void clientsWithKarmiFindKarmiThroughRegistriesOfStock() throws Exception {
    assertThat(run("stock", "karmi", "karmi", Origin.class)).isEqualTo("client hello from KaRMI");
    assertThat(run("stock", "karmi", "stock", Origin.class))
        .isEqualTo("client hello from stock RMI");
    assertThat(run("karmi", "stock", "karmi", Origin.class))
        .isEqualTo("client hello from stock RMI");
  }

  @Test
  public void registryCommandNeedsNoClassOfTheProgram() throws Exception {
    int port = End.anyFreePort();
    try (End registry =
        End.command("io.karmi.registry.KarmiRegistry", String.valueOf(port), "karmi-registry")) {
      assertThat(run("karmi", "karmi", Elsewhere.class, port)).isEqualTo(allOnStock());
      assertThat(registry.observed()).hasSize(1);
    }
  }
}
