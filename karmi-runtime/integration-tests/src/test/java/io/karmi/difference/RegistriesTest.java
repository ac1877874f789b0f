package io.karmi.difference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.difference.programs.Elsewhere;
import io.karmi.difference.programs.Origin;
import io.karmi.difference.programs.Program;
import io.karmi.difference.programs.RegistryOnly;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.Test;

/** Objects in registries of other JVMs: those of stock RMI, those of KaRMI, and its command. */
public class RegistriesTest {
  private static final List<Side> SIDES = List.of(Side.STOCK, Side.KARMI);

  private static String run(
      Side registry, Side server, Side client, Class<? extends Program> program) throws Exception {
    int port = FreePort.any();
    try (Jvm registryJvm = Run.server(registry, RegistryOnly.class, port)) {
      String observed = Run.of(server, client, program, port);
      assertThat(Run.observed("registry", registryJvm)).isEmpty();
      return observed;
    }
  }

  private static String stock;

  @BeforeClass
  public static void observeStock() throws Exception {
    stock = run(Side.STOCK, Side.STOCK, Side.STOCK, Elsewhere.class);
    assertThat(stock).as("what stock RMI shows").contains("client add: 3");
  }

  @Test
  public void everyRegistryServesEverybody() throws Exception {
    for (Side registry : SIDES) {
      for (Side server : SIDES) {
        for (Side client : SIDES) {
          if (Stream.of(registry, server, client).allMatch(Side.STOCK::equals)) {
            continue; // what the others are compared with
          }
          assertThat(run(registry, server, client, Elsewhere.class))
              .as("registry %s, server %s, client %s", registry, server, client)
              .isEqualTo(stock);
        }
      }
    }
  }

  @Test
  public void clientsWithKarmiFindKarmiThroughRegistriesOfStock() throws Exception {
    assertThat(run(Side.STOCK, Side.KARMI, Side.KARMI, Origin.class))
        .isEqualTo("client hello from KaRMI");
    assertThat(run(Side.STOCK, Side.KARMI, Side.STOCK, Origin.class))
        .isEqualTo("client hello from stock RMI");
    assertThat(run(Side.KARMI, Side.STOCK, Side.KARMI, Origin.class))
        .isEqualTo("client hello from stock RMI");
  }

  @Test
  public void registryCommandNeedsNoClassOfTheProgram() throws Exception {
    String withoutPrograms =
        Arrays.stream(Jvm.classPath().split(File.pathSeparator))
            .filter(entry -> !entry.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));
    try (Jvm registry =
        Jvm.start(Jdks.own(), withoutPrograms, "io.karmi.registry.KarmiRegistry", "0")) {
      String addresses = registry.awaitLine("karmi-registry listens on tcp ");
      int port = Integer.parseInt(addresses.replaceAll(".*:", ""));
      assertThat(Run.of(Side.KARMI, Side.KARMI, Elsewhere.class, port)).isEqualTo(stock);
      assertThat(registry.lines()).hasSize(1);
    }
  }
}
