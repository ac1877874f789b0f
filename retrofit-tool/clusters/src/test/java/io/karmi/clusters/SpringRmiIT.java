package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** A service by Spring's RMI, and the steps by which a program leaves it. */
public class SpringRmiIT {
  private static Jvm start(Stage stage, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(stage.options);
    all.add("-XX:TieredStopAtLevel=1"); // over before the second compiler pays
    all.add("members.PriceMain");
    all.addAll(List.of(arguments));
    return Jvm.start(all.toArray(String[]::new));
  }

  /** What callers print, one after the other. */
  private static List<List<String>> answers(
      Stage stage, String way, List<Stage> callers, List<String> ways) throws Exception {
    String port = Integer.toString(FreePort.any());
    List<List<String>> answers = new ArrayList<>();
    try (Jvm server = start(stage, "serve", way, port)) {
      server.awaitLine("= ready");
      for (Stage each : callers) {
        for (String by : ways) {
          try (Jvm caller = start(each, "call", by, port)) {
            assertThat(caller.ended()).isTrue();
            assertThat(caller.lines()).anyMatch(line -> line.startsWith("= "));
            answers.add(caller.linesWith("= "));
          }
        }
      }
    }
    return answers;
  }

  private static final List<Stage> BOTH = List.of(Stage.STOCK, Stage.AGENT);

  private static final List<String> PRICES =
      List.of(
          "= Price[item=tea, amount=3.50]",
          "= {coffee=Price[item=coffee, amount=6.50], tea=Price[item=tea, amount=3.50]}",
          "= members.PriceMain$UnknownItemException: no price for nothing");

  @Test
  public void exporterAndProxyAnswerAsOnStockRmi() throws Exception {
    List<List<String>> onStock = answers(Stage.STOCK, "spring", BOTH, List.of("spring"));
    List<List<String>> underTheAgent = answers(Stage.AGENT, "spring", BOTH, List.of("spring"));
    assertThat(onStock.get(0))
        .startsWith(PRICES.toArray(String[]::new))
        .last()
        .isEqualTo("= RemoteLookupFailureException java.rmi.NotBoundException: others");
    assertThat(onStock).containsOnly(onStock.get(0));
    assertThat(underTheAgent).containsOnly(onStock.get(0));
  }

  @Test
  public void withARemoteInterfaceEachEndLeavesSpringAlone() throws Exception {
    List<String> ways = List.of("remote", "rmi");
    List<Stage> agent = List.of(Stage.AGENT);
    assertThat(answers(Stage.AGENT, "remote", agent, ways)).containsOnly(PRICES).hasSize(2);
    assertThat(answers(Stage.AGENT, "rmi", agent, ways)).containsOnly(PRICES).hasSize(2);
  }
}
