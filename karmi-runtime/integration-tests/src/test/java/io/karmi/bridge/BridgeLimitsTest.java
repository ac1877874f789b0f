package io.karmi.bridge;

import static io.karmi.bridge.Bridged.asks;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.util.List;
import org.junit.After;
import org.junit.Test;

/** What a bridge does not forward, whatever its networks are. */
public class BridgeLimitsTest {
  private final Bridged bridged = new Bridged("uds", "lease", Bridged.LEASE_MILLIS);

  @After
  public void end() {
    bridged.close();
  }

  @Test
  public void withoutTheSettingNothingIsForwarded() throws Exception {
    bridged.start(List.of());
    assertThat(asks(bridged.local, "twice"))
        .startsWith("thrown java.rmi.ConnectException: no common technology for object")
        .contains("or a bridge");
    assertThat(bridged.bridge.ask("exported", "done ")).isEqualTo("1");
  }

  @Test
  public void bridgeForwardsToNoObjectThatItHasNotHandedOn() throws Exception {
    bridged.start();
    assertThat(asks(bridged.local, "twice")).isEqualTo("42");
    assertThat(asks(bridged.local, "direct")).isEqualTo("no such object");
    assertThat(asks(bridged.remote, "direct")).isEqualTo("no such object");
  }

  @Test
  public void bridgeForwardsToNoMoreObjectsThanItMay() throws Exception {
    bridged.start(List.of("-Dkarmi.bridge=true", "-Dkarmi.internal.maxBridgedObjects=1"));
    assertThat(asks(bridged.local, "twice")).isEqualTo("42");
    assertThat(asks(bridged.remote, "twice")).contains("no common technology");
    assertThat(bridged.bridge.awaitLinesWith("WARNING", 1))
        .anyMatch(line -> line.contains("this bridge forwards for"));
  }

  @Test
  public void hostThatIsGivenManyReferencesLeavesRoomForOthers() throws Exception {
    bridged.startNodes(List.of("-Dkarmi.bridge=true", "-Dkarmi.internal.maxBridgedObjects=8"));
    for (int i = 0; i < 7; i++) {
      asks(bridged.remote, "put " + i);
      asks(bridged.local, "get " + i);
      assertThat(asks(bridged.local, "twice")).as("reference %d", i).isEqualTo("42");
    }
    asks(bridged.local, "get remote");
    assertThat(asks(bridged.local, "twice")).contains("no common technology");
    asks(bridged.remote, "get local");
    assertThat(asks(bridged.remote, "twice")).as("at another host").isEqualTo("42");
    assertThat(bridged.bridge.awaitLinesWith("WARNING", 1))
        .anyMatch(line -> line.contains("was given"));
    for (int i = 0; i < 7; i++) {
      asks(bridged.local, "forget " + i);
    }
    asks(bridged.local, "drop");
    Deadline.await("the others are gone", () -> bridged.exported() <= 3);
    asks(bridged.local, "get remote");
    Deadline.await("there is room again", () -> twiceAgain().equals("42"));
  }

  private String twiceAgain() {
    try {
      asks(bridged.local, "get remote");
      return asks(bridged.local, "twice");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
