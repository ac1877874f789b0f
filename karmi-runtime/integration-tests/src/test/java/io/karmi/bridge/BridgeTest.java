package io.karmi.bridge;

import static io.karmi.bridge.Bridged.asks;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Calls across a bridge, and who takes part is killed; by each technology of one host. */
@RunWith(Parameterized.class)
public class BridgeTest {
  @Parameters(name = "{0}")
  public static List<String> localSides() {
    return List.of("uds", "shm");
  }

  @Parameter public String way;

  private Bridged bridged;

  @Before
  public void prepare() {
    bridged = new Bridged(way, "lease", Bridged.LEASE_MILLIS);
  }

  @After
  public void end() {
    bridged.close();
  }

  @Test
  public void nodesWithoutACommonTechnologyCallEachOther() throws Exception {
    bridged.start();
    for (Jvm each : List.of(bridged.local, bridged.remote)) {
      assertThat(asks(each, "twice")).isEqualTo("42");
      assertThat(asks(each, "echo")).isEqualTo("true");
      assertThat(asks(each, "nest")).as("calls back").isEqualTo("20");
      assertThat(asks(each, "future")).isEqualTo("later text");
      assertThat(asks(each, "fail"))
          .isEqualTo(
              "java.io.FileNotFoundException: no such file at the worker,"
                  + " java.rmi.ServerException of java.rmi.RemoteException: the worker itself calls"
                  + " in vain");
    }
  }

  @Test
  public void calleeThatIsKilledIsARemoteException() throws Exception {
    bridged.start();
    hang();
    bridged.remote.kill();
    assertThat(bridged.local.awaitLine("result ")).startsWith("thrown java.rmi.UnmarshalException");
    assertThat(asks(bridged.local, "twice")).startsWith("thrown java.rmi.ConnectException");
    assertThat(bridged.exported()).as("the bridge lives").isPositive();
  }

  private void hang() throws Exception {
    assertThat(asks(bridged.local, "twice")).isEqualTo("42");
    bridged.local.tell("hang");
    bridged.remote.awaitLine("hanging");
  }

  @Test
  public void bridgeThatIsKilledIsARemoteException() throws Exception {
    bridged.start();
    hang();
    bridged.bridge.kill();
    assertThat(bridged.local.awaitLine("result ")).startsWith("thrown java.rmi.UnmarshalException");
    assertThat(asks(bridged.local, "twice")).startsWith("thrown java.rmi.ConnectException");
  }
}
