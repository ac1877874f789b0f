package io.karmi.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** A node without threads or memory for some seconds goes on as before afterwards. */
public class StarvationTest {
  private static final String MAIN = Starved.class.getName();
  private static final long LEASE_MILLIS = 16_000;

  /** In which a lease that is not renewed has surely ended. */
  private static final long LEASE_AND_QUARTER_MILLIS = LEASE_MILLIS + LEASE_MILLIS / 4;

  private static Jvm server() throws IOException {
    return Jvm.start("-Djava.rmi.dgc.leaseValue=" + LEASE_MILLIS, MAIN, "serve");
  }

  private static Jvm starvable(List<String> limits, String port) throws Exception {
    return Jvm.startBy(limits, "-Xlog:os+thread=off", MAIN, "hold", port);
  }

  /** What a client has to say of itself when it can be asked again. */
  private static void assertIsWell(Jvm client, String what) throws Exception {
    assertThat(client.ask("services", "services"))
        .as("services of the client without " + what)
        .contains("KaRMI Lease Renewer")
        .contains("Watchdog")
        .doesNotContain("not running");
  }

  @Test
  public void referencesOutliveAMomentWithoutThreadsOrMemory() throws Exception {
    List<String> limits = Limits.ofThreadsAndDescriptors();
    Map<String, Jvm> clients = new LinkedHashMap<>();
    try (Jvm server = server()) {
      String port = server.awaitLine("port ");
      clients.put("memory", Jvm.start("-Xmx24m", "-XX:+UseSerialGC", MAIN, "hold", port));
      if (limits != null) {
        clients.put("threads", starvable(limits, port));
      }
      for (Jvm each : clients.values()) {
        each.awaitLine("held ");
      }
      TimeUnit.MILLISECONDS.sleep(LEASE_MILLIS / 2 - 2000); // the renewal falls into four seconds
      for (Map.Entry<String, Jvm> each : clients.entrySet()) {
        each.getValue().tell(each.getKey());
      }
      for (Jvm each : clients.values()) {
        assertThat(Integer.parseInt(each.awaitLine("starved "))).isPositive();
      }
      keepTheirReferences(clients);
    } finally {
      clients.values().forEach(Jvm::close);
    }
  }

  private static void keepTheirReferences(Map<String, Jvm> clients) throws Exception {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEASE_AND_QUARTER_MILLIS);
    while (System.nanoTime() - until < 0) {
      for (Map.Entry<String, Jvm> each : clients.entrySet()) {
        Jvm client = each.getValue();
        assertThat(client.ask("ping", "ping "))
            .as("the client without %s: %s", each.getKey(), client.lines())
            .isEqualTo("1");
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
    for (Map.Entry<String, Jvm> each : clients.entrySet()) {
      assertIsWell(each.getValue(), each.getKey());
    }
  }

  @Test
  public void futuresAreCompletedWithoutThreadsToWaitForThem() throws Exception {
    List<String> limits = Limits.ofThreadsAndDescriptors();
    assumeTrue("a limit of threads that holds", limits != null);
    try (Jvm server = server();
        Jvm client = starvable(Objects.requireNonNull(limits), server.awaitLine("port "))) {
      client.awaitLine("held ");
      String[] outcome = client.ask("futures", "futures ").split(" failed, ");
      assertThat(outcome[0]).as("futures that failed").isEqualTo("0");
      int connections = Integer.parseInt(outcome[1].replace(" connections", ""));
      assertThat(connections).as("connections of 40 calls, one after the other").isLessThan(10);
      assertThat(client.ask("ping", "ping ")).isEqualTo("1");
    }
  }
}
