package io.karmi.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** A node without threads or memory for some seconds goes on as before afterwards. */
public class StarvationTest {
  private static final String MAIN = Starved.class.getName();
  private static final long LEASE_MILLIS = 16_000;
  private static final int MOST_THREADS = 250;

  private static Jvm server() throws IOException {
    return Jvm.start("-Djava.rmi.dgc.leaseValue=" + LEASE_MILLIS, MAIN, "serve");
  }

  /** Starts a JVM that can start no more than {@link #MOST_THREADS} threads. */
  private static Jvm starvable(String... arguments) throws Exception {
    String limit = "ulimit -u " + MOST_THREADS + " && exec \"$0\" \"$@\"";
    List<String> root =
        List.of(
            "setpriv",
            "--reuid=65533",
            "--regid=65533",
            "--clear-groups",
            "--inh-caps=+dac_override,+dac_read_search",
            "--ambient-caps=+dac_override,+dac_read_search",
            "bash",
            "-c",
            limit);
    assumeTrue("a limit of threads that holds", works(root));
    return Jvm.startBy(root, arguments);
  }

  private static boolean works(List<String> prefix) throws Exception {
    if (!Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
      return false;
    }
    List<String> command = new ArrayList<>(prefix);
    command.add("/bin/true");
    return new ProcessBuilder(command).start().waitFor() == 0;
  }

  private static void keepsItsReference(Jvm client, String starvation) throws Exception {
    TimeUnit.MILLISECONDS.sleep(LEASE_MILLIS / 2 - 2000); // the renewal falls into the four seconds
    assertThat(Integer.parseInt(client.ask(starvation, "starved "))).isPositive();
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * LEASE_MILLIS);
    while (System.nanoTime() - until < 0) {
      assertThat(client.ask("ping", "ping ")).as("%s", client.lines()).isEqualTo("1");
      TimeUnit.MILLISECONDS.sleep(500);
    }
    assertThat(client.ask("services", "services"))
        .contains("KaRMI Lease Renewer")
        .doesNotContain("not running");
  }

  @Test
  public void referencesOutliveAMomentWithoutThreads() throws Exception {
    try (Jvm server = server();
        Jvm client = starvable("-Xlog:os+thread=off", MAIN, "hold", server.awaitLine("port "))) {
      client.awaitLine("held ");
      keepsItsReference(client, "threads");
    }
  }

  @Test
  public void referencesOutliveAMomentWithoutMemory() throws Exception {
    try (Jvm server = server();
        Jvm client =
            Jvm.start("-Xmx24m", "-XX:+UseSerialGC", MAIN, "hold", server.awaitLine("port "))) {
      client.awaitLine("held ");
      assumeTrue(
          "the connections are watched by a service, too",
          client.ask("services", "services").contains("Watchdog"));
      keepsItsReference(client, "memory");
    }
  }

  @Test
  public void futuresAreCompletedWithoutThreadsToWaitForThem() throws Exception {
    try (Jvm server = server();
        Jvm client = starvable("-Xlog:os+thread=off", MAIN, "hold", server.awaitLine("port "))) {
      client.awaitLine("held ");
      String[] outcome = client.ask("futures", "futures ").split(" failed, ");
      assertThat(outcome[0]).as("futures that failed").isEqualTo("0");
      int connections = Integer.parseInt(outcome[1].replace(" connections", ""));
      assertThat(connections).as("connections of 40 calls, one after the other").isLessThan(10);
      assertThat(client.ask("ping", "ping ")).isEqualTo("1");
    }
  }
}
