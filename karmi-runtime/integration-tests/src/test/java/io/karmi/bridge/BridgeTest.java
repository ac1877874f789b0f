package io.karmi.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * A node that speaks a technology of one host only, one that speaks TCP only, and a bridge between
 * them. The two sides have a distributed collector each, which may be different ones.
 */
@RunWith(Parameterized.class)
public class BridgeTest {
  /** Short, so that what is not renewed is gone soon. */
  private static final int SHORT_LEASE_MILLIS = 3_000;

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

  /**
   * Long enough for a busy machine; what one connection has leased and another gives back waits for
   * its end.
   */
  private int leaseMillis = 15_000;

  private final List<Jvm> jvms = new ArrayList<>();
  private Jvm bridge;
  private Jvm local;
  private Jvm remote;

  @After
  public void end() {
    jvms.forEach(Jvm::close);
  }

  private Jvm start(String technologies, Class<?> main, String... arguments) throws IOException {
    return start(technologies, true, main, arguments);
  }

  private Jvm startWith(String technologies, List<String> options) throws IOException {
    List<String> all = new ArrayList<>(options);
    all.add(collectorOfWay());
    all.add("-Dkarmi.technologies=" + technologies);
    all.add(HubMain.class.getName());
    Jvm jvm = Jvm.start(all.toArray(new String[0]));
    jvms.add(jvm);
    return jvm;
  }

  private String collectorOfWay() {
    return "-Dkarmi.internal.collectors=" + way + "=" + collector;
  }

  private Jvm start(String technologies, boolean bridging, Class<?> main, String... arguments)
      throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "-Xmx64m",
                "-Djava.rmi.dgc.leaseValue=" + leaseMillis,
                collectorOfWay(),
                "-Dkarmi.technologies=" + technologies,
                "-Dkarmi.bridge=" + (bridging && main == HubMain.class),
                main.getName()));
    all.addAll(List.of(arguments));
    Jvm jvm = Jvm.start(all.toArray(new String[0]));
    jvms.add(jvm);
    return jvm;
  }

  private void startAll(boolean bridging, String... argumentsOfHub) throws Exception {
    bridge = start(way + ",tcp", bridging, HubMain.class, argumentsOfHub);
    String hub = bridge.awaitLine("hub ");
    remote = start("tcp", WorkerMain.class, hub, "remote");
    local = start(way, WorkerMain.class, hub, "local");
    remote.awaitLine("ready");
    local.awaitLine("ready");
    assertThat(asks(local, "get remote")).isEqualTo("true");
    assertThat(asks(remote, "get local")).isEqualTo("true");
  }

  private static String asks(Jvm node, String command) throws Exception {
    return node.ask(command, "result ");
  }

  @Test
  public void nodesWithoutACommonTechnologyCallEachOther() throws Exception {
    startAll(true);
    for (Jvm each : List.of(local, remote)) {
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
  public void anObjectIsTheSameWhateverWayAReferenceHasCome() throws Exception {
    startAll(true);
    assertThat(asks(local, "identity remote")).isEqualTo("true true true true 1 8");
    assertThat(asks(remote, "identity local")).isEqualTo("true true true true 1 8");
  }

  @Test
  public void withoutTheSettingNothingIsForwarded() throws Exception {
    startAll(false);
    assertThat(asks(local, "twice"))
        .startsWith("thrown java.rmi.ConnectException: no common technology for object")
        .contains("or a bridge");
    assertThat(bridge.ask("exported", "done ")).isEqualTo("1");
  }

  @Test
  public void bridgeForwardsToNoObjectThatItHasNotHandedOn() throws Exception {
    startAll(true);
    assertThat(asks(local, "twice")).isEqualTo("42");
    assertThat(asks(local, "direct")).isEqualTo("no such object");
    assertThat(asks(remote, "direct")).isEqualTo("no such object");
  }

  @Test
  public void garbageIsCollectedOnBothSidesAndNothingThatIsHeld() throws Exception {
    startAll(true);
    asks(local, "forget remote");
    asks(local, "forget local");
    assertThat(asks(local, "hold 1000")).as("over garbage collections").isEqualTo("42");
    assertThat(exported()).isEqualTo(3);
    assertThat(asks(remote, "twice")).isEqualTo("42");
    assertThat(remote.linesWith("unreferenced")).isEmpty();
    asks(local, "drop");
    Deadline.await("the remote worker is free", () -> exported() == 2 && isFree(remote));
    assertThat(asks(remote, "twice")).as("the other direction").isEqualTo("42");
    assertThat(local.linesWith("unreferenced")).isEmpty();
    asks(remote, "drop");
    Deadline.await("the local worker is free", () -> exported() == 1 && isFree(local));
  }

  @Test
  public void objectsAreReleasedThoughTheBridgeMakesNoGarbage() throws Exception {
    startAll(false, "300");
    assertThat(asks(local, "twice")).isEqualTo("42");
    assertThat(asks(remote, "twice")).isEqualTo("42");
    asks(local, "forget remote");
    asks(local, "forget local");
    asks(local, "drop");
    asks(remote, "drop");
    Deadline.await("both workers are free", () -> isFree(remote) && isFree(local));
  }

  private static boolean isFree(Jvm node) {
    return !node.linesWith("unreferenced").isEmpty();
  }

  /** How many objects the bridge exports after a garbage collection: the hub, and forwarders. */
  private int exported() {
    try {
      return Integer.parseInt(bridge.ask("exported", "done "));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void calleeThatIsKilledIsARemoteException() throws Exception {
    startAll(true);
    hang();
    remote.kill();
    assertThat(local.awaitLine("result ")).startsWith("thrown java.rmi.UnmarshalException");
    assertThat(asks(local, "twice")).startsWith("thrown java.rmi.ConnectException");
    assertThat(exported()).as("the bridge lives").isPositive();
  }

  private void hang() throws Exception {
    assertThat(asks(local, "twice")).isEqualTo("42");
    local.tell("hang");
    remote.awaitLine("hanging");
  }

  @Test
  public void bridgeThatIsKilledIsARemoteException() throws Exception {
    startAll(true);
    hang();
    bridge.kill();
    assertThat(local.awaitLine("result ")).startsWith("thrown java.rmi.UnmarshalException");
    assertThat(asks(local, "twice")).startsWith("thrown java.rmi.ConnectException");
  }

  @Test
  public void callerThatIsKilledIsForgottenAndTheOthersLive() throws Exception {
    boolean counting = collector.equals("counting");
    leaseMillis = counting ? LONG_LEASE_MILLIS : SHORT_LEASE_MILLIS;
    startAll(true);
    assertThat(asks(local, "twice")).isEqualTo("42");
    asks(remote, "forget remote");
    assertThat(exported()).isEqualTo(3);
    local.kill();
    Deadline.await(
        counting
            ? "its accounts have ended with its connections, and then the bridge's lease"
            : "its leases have run out, and with them the bridge's",
        () -> exported() == 2 && isFree(remote));
    assertThat(asks(remote, "twice")).startsWith("thrown java.rmi.");
    assertThat(asks(remote, "get local")).as("the bridge lives").isEqualTo("true");
  }

  @Test
  public void bridgeForwardsToNoMoreObjectsThanItMay() throws Exception {
    bridge =
        startWith(
            way + ",tcp", List.of("-Dkarmi.bridge=true", "-Dkarmi.internal.maxBridgedObjects=1"));
    String hub = bridge.awaitLine("hub ");
    remote = start("tcp", WorkerMain.class, hub, "remote");
    local = start(way, WorkerMain.class, hub, "local");
    remote.awaitLine("ready");
    local.awaitLine("ready");
    asks(local, "get remote");
    asks(remote, "get local");
    assertThat(asks(local, "twice")).isEqualTo("42");
    assertThat(asks(remote, "twice")).contains("no common technology");
    assertThat(bridge.awaitLinesWith("WARNING", 1))
        .anyMatch(line -> line.contains("this bridge forwards for"));
  }

  @Test
  public void hostThatIsGivenManyReferencesLeavesRoomForOthers() throws Exception {
    bridge =
        startWith(
            way + ",tcp", List.of("-Dkarmi.bridge=true", "-Dkarmi.internal.maxBridgedObjects=8"));
    String hub = bridge.awaitLine("hub ");
    remote = start("tcp", WorkerMain.class, hub, "remote");
    local = start(way, WorkerMain.class, hub, "local");
    remote.awaitLine("ready");
    local.awaitLine("ready");
    for (int i = 0; i < 7; i++) {
      asks(remote, "put " + i);
      asks(local, "get " + i);
      assertThat(asks(local, "twice")).as("reference %d", i).isEqualTo("42");
    }
    asks(local, "get remote");
    assertThat(asks(local, "twice")).contains("no common technology");
    asks(remote, "get local");
    assertThat(asks(remote, "twice")).as("at another host").isEqualTo("42");
    assertThat(bridge.awaitLinesWith("WARNING", 1)).anyMatch(line -> line.contains("was given"));
    for (int i = 0; i < 7; i++) {
      asks(local, "forget " + i);
    }
    asks(local, "drop");
    Deadline.await("the others are gone", () -> exported() <= 3);
    asks(local, "get remote");
    Deadline.await("there is room again", () -> twiceAgain().equals("42"));
  }

  private String twiceAgain() {
    try {
      asks(local, "get remote");
      return asks(local, "twice");
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
