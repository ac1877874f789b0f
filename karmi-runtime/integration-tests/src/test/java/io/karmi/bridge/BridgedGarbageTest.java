package io.karmi.bridge;

import static io.karmi.bridge.Bridged.asks;
import static io.karmi.bridge.Bridged.isFree;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** References that cross a bridge between the distributed collectors of its two sides. */
@RunWith(Parameterized.class)
public class BridgedGarbageTest {
  /**
   * Short, so that what is not renewed is gone soon. Half of it, after which a lease is renewed, is
   * longer than a process stands still on a busy machine.
   */
  private static final int SHORT_LEASE_MILLIS = 8_000;

  /** Longer than any test takes: what is free before has been let go without it. */
  private static final int LONG_LEASE_MILLIS = 600_000;

  /** The technology of the first node, and what collects its side's garbage; TCP has leases. */
  @Parameters(name = "{0} with {1}")
  public static Object[][] localSides() {
    return new Object[][] {{"uds", "lease"}, {"uds", "counting"}, {"shm", "lease"}};
  }

  @Parameter public String way;

  @Parameter(1)
  public String collector;

  private Bridged bridged;

  @Before
  public void prepare() {
    bridged = new Bridged(way, collector, Bridged.LEASE_MILLIS);
  }

  @After
  public void end() {
    bridged.close();
  }

  @Test
  public void anObjectIsTheSameWhateverWayAReferenceHasCome() throws Exception {
    bridged.start();
    assertThat(asks(bridged.local, "identity remote")).isEqualTo("true true true true 1 8");
    assertThat(asks(bridged.remote, "identity local")).isEqualTo("true true true true 1 8");
  }

  @Test
  public void garbageIsCollectedOnBothSidesAndNothingThatIsHeld() throws Exception {
    bridged.start();
    asks(bridged.local, "forget remote");
    asks(bridged.local, "forget local");
    assertThat(asks(bridged.local, "hold 1000")).as("over garbage collections").isEqualTo("42");
    assertThat(bridged.exported()).isEqualTo(3);
    assertThat(asks(bridged.remote, "twice")).isEqualTo("42");
    assertThat(bridged.remote.linesWith("unreferenced")).isEmpty();
    asks(bridged.local, "drop");
    Deadline.await(
        "the remote worker is free", () -> bridged.exported() == 2 && isFree(bridged.remote));
    assertThat(asks(bridged.remote, "twice")).as("the other direction").isEqualTo("42");
    assertThat(bridged.local.linesWith("unreferenced")).isEmpty();
    asks(bridged.remote, "drop");
    Deadline.await(
        "the local worker is free", () -> bridged.exported() == 1 && isFree(bridged.local));
  }

  @Test
  public void objectsAreReleasedThoughTheBridgeMakesNoGarbage() throws Exception {
    bridged.start(List.of(), "300");
    assertThat(asks(bridged.local, "twice")).isEqualTo("42");
    assertThat(asks(bridged.remote, "twice")).isEqualTo("42");
    asks(bridged.local, "forget remote");
    asks(bridged.local, "forget local");
    asks(bridged.local, "drop");
    asks(bridged.remote, "drop");
    Deadline.await("both workers are free", () -> isFree(bridged.remote) && isFree(bridged.local));
  }

  @Test
  public void callerThatIsKilledIsForgottenAndTheOthersLive() throws Exception {
    boolean counting = collector.equals("counting");
    bridged = new Bridged(way, collector, counting ? LONG_LEASE_MILLIS : SHORT_LEASE_MILLIS);
    bridged.start();
    assertThat(asks(bridged.local, "twice")).isEqualTo("42");
    asks(bridged.remote, "forget remote");
    assertThat(bridged.exported()).isEqualTo(3);
    bridged.local.kill();
    Deadline.await(
        counting
            ? "its accounts have ended with its connections, and then the bridge's lease"
            : "its leases have run out, and with them the bridge's",
        () -> bridged.exported() == 2 && isFree(bridged.remote));
    assertThat(asks(bridged.remote, "twice")).startsWith("thrown java.rmi.");
    assertThat(asks(bridged.remote, "get local")).as("the bridge lives").isEqualTo("true");
  }
}
