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

/** References that pass two bridges, and such as need their bridge no longer. */
public class BridgeWaysTest {
  private static final int LEASE_MILLIS = 15_000;
  private static final int CALLS = 200;

  private final List<Jvm> jvms = new ArrayList<>();
  private Jvm first;
  private Jvm second;
  private Jvm near;
  private Jvm far;

  @After
  public void end() {
    jvms.forEach(Jvm::close);
  }

  private Jvm start(String technologies, boolean bridging, Class<?> main, String... arguments)
      throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "-Xmx64m",
                "-Djava.rmi.dgc.leaseValue=" + LEASE_MILLIS,
                "-Dkarmi.technologies=" + technologies,
                "-Dkarmi.bridge=" + bridging,
                main.getName()));
    all.addAll(List.of(arguments));
    Jvm jvm = Jvm.start(all.toArray(new String[0]));
    jvms.add(jvm);
    return jvm;
  }

  private static String asks(Jvm node, String command) throws Exception {
    return node.ask(command, "result ");
  }

  /** The far node's reference to the near one's worker passes both bridges. */
  private void startChain() throws Exception {
    first = start("uds,tcp", true, HubMain.class);
    String firstHub = first.awaitLine("hub ");
    near = start("uds", false, WorkerMain.class, firstHub, "near");
    near.awaitLine("ready");
    second = start("tcp,shm", true, HubMain.class);
    String secondHub = second.awaitLine("hub ");
    second.ask("relay near " + firstHub, "done ");
    far = start("shm", false, WorkerMain.class, secondHub, "far");
    far.awaitLine("ready");
    assertThat(asks(far, "get near")).isEqualTo("true");
  }

  @Test
  public void referencesPassTwoBridges() throws Exception {
    startChain();
    assertThat(asks(far, "twice")).isEqualTo("42");
    assertThat(asks(far, "nest")).isEqualTo("20");
    assertThat(asks(far, "future")).isEqualTo("later text");
    assertThat(asks(far, "identity near")).isEqualTo("true true true true 1 8");
    first.kill();
    assertThat(asks(far, "twice")).startsWith("thrown java.rmi.");
  }

  @Test
  public void garbageIsCollectedBehindTwoBridges() throws Exception {
    startChain();
    asks(far, "forget near");
    asks(near, "forget near");
    assertThat(asks(far, "hold 1000")).as("over garbage collections").isEqualTo("42");
    assertThat(exported(second)).isEqualTo(2);
    assertThat(exported(first)).isEqualTo(2);
    assertThat(asks(far, "twice")).isEqualTo("42");
    assertThat(near.linesWith("unreferenced")).isEmpty();
    asks(far, "drop");
    Deadline.await("the second bridge has let go", () -> exported(second) == 1);
    Deadline.await("the first bridge has let go", () -> exported(first) == 1);
    near.awaitLinesWith("unreferenced", 1);
  }

  @Test
  public void secondBridgeThatIsKilledIsARemoteException() throws Exception {
    startChain();
    far.tell("hang");
    near.awaitLine("hanging");
    second.kill();
    assertThat(far.awaitLine("result ")).startsWith("thrown java.rmi.UnmarshalException");
    assertThat(asks(far, "twice")).startsWith("thrown java.rmi.ConnectException");
    assertThat(exported(first)).as("the first bridge lives").isPositive();
  }

  @Test
  public void nodeThatHasTheOwnersTechnologyCallsPastTheBridge() throws Exception {
    first = start("uds,tcp", true, HubMain.class);
    String hub = first.awaitLine("hub ");
    far = start("tcp", false, WorkerMain.class, hub, "far");
    near = start("uds", false, WorkerMain.class, hub, "near");
    far.awaitLine("ready");
    near.awaitLine("ready");
    Jvm taker = start("uds,tcp", false, HubMain.class);
    String takerHub = taker.awaitLine("hub ");
    assertThat(asks(near, "get far")).isEqualTo("true");
    assertThat(asks(near, "twice")).isEqualTo("42");
    assertThat(exported(first)).as("the hub, and one that forwards").isEqualTo(2);
    assertThat(asks(near, "give taken " + takerHub)).isEqualTo("true");
    long before = served();
    for (int i = 0; i < CALLS; i++) {
      assertThat(taker.ask("twice taken", "twice ")).isEqualTo("42");
    }
    assertThat(served() - before).as("messages of collectors at most").isLessThan(CALLS / 2);
    asks(near, "forget far");
    asks(near, "drop");
    Deadline.await("nothing is forwarded", () -> exported(first) == 1);
    exported(taker);
    assertThat(taker.ask("twice taken", "twice ")).isEqualTo("42");
    assertThat(far.linesWith("unreferenced")).isEmpty();
    taker.ask("forget taken", "done ");
    Deadline.await(
        "the worker is free",
        () -> exported(taker) == 1 && !far.linesWith("unreferenced").isEmpty());
  }

  private long served() throws Exception {
    return Long.parseLong(first.ask("served", "served "));
  }

  /** How many objects a hub's node exports after a garbage collection: itself, and forwarders. */
  private static int exported(Jvm hub) {
    try {
      return Integer.parseInt(hub.ask("exported", "done "));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
