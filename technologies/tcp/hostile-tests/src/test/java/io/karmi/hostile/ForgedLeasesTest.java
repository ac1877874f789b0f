package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import org.junit.Test;

/** What comes from a place where a node is not leads none of the leases of that node astray. */
public class ForgedLeasesTest {
  private static final String MAIN = Vault.class.getName();

  /** Renewed after half of it, which is longer than a process stands still on a busy machine. */
  private static final String LEASE = "-Djava.rmi.dgc.leaseValue=8000";

  @Test
  public void leasesAreRenewedWhereTheirOwnReferencesHaveComeFrom() throws Exception {
    try (Jvm keeper = Jvm.start(LEASE, MAIN, "keeper")) {
      String node = keeper.awaitLine("node ");
      String number = keeper.awaitLine("keeper ");
      String port = keeper.awaitLine("port ");
      try (Jvm holder = Jvm.start(LEASE, MAIN, "holder", port)) {
        assertThat(holder.awaitLine("touched ")).isEqualTo("true");
        try (Relay relay = new Relay(Integer.parseInt(port))) {
          holder.ask("through " + node + " " + relay.port() + " " + number, "through");
        }
        Deadline.await(
            "the lease of what has come from the relay alone ends",
            () -> !keeper.linesWith("other unreferenced").isEmpty());
        assertThat(keeper.linesWith("unreferenced")).as("what has come from the keeper").isEmpty();
      }
    }
  }
}
