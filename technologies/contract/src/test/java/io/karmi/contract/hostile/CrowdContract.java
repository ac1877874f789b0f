package io.karmi.contract.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A process that takes all connections of a node that its host may have, and then does nothing: the
 * next client of the same host is served.
 */
public abstract class CrowdContract {
  private static final int MAXIMUM = 20;

  /** That a process may open; it needs less than half of them for itself. */
  private static final int DESCRIPTORS = 256;

  /** Of a reply; some hundred fill what a network buffers. */
  private static final int FEW_BYTES = 20_000;

  private final List<Target> targets = new ArrayList<>();
  private Jvm node;
  private Door door;
  private long object;

  /** Options of the node's JVM, such as the technologies that it has. */
  protected abstract List<String> options() throws IOException;

  /** Where the node is called. */
  protected abstract Door door(String way);

  /** The technology that is crowded. */
  protected abstract String technology();

  @Before
  public void start() throws Exception {
    start(List.of(), "-Dkarmi.maxConnections=" + MAXIMUM);
  }

  private void start(List<String> prefix, String option) throws Exception {
    List<String> arguments = new ArrayList<>(options());
    arguments.add(option);
    arguments.add("-Dkarmi.handshakeTimeout=" + TimeUnit.HOURS.toMillis(1)); // none ends by itself
    arguments.add(Besieged.class.getName());
    node = Jvm.startBy(prefix, arguments.toArray(new String[0]));
    object = Long.parseLong(node.awaitLine("object "));
    door = door(node.awaitLine("way " + technology() + " "));
  }

  @After
  public void end() throws IOException {
    targets.forEach(Target::close);
    node.close();
  }

  private Target target() {
    Target target = new Target(door, object, new Random(targets.size()));
    targets.add(target);
    return target;
  }

  /** Opens one connection more. */
  @FunctionalInterface
  private interface Opener {
    void open(Target target) throws IOException;
  }

  private void assertServesBeside(Opener opener) throws Exception {
    assertServesBeside(2 * MAXIMUM, opener);
  }

  private void assertServesBeside(int count, Opener opener) throws Exception {
    for (int i = 0; i < count; i++) {
      Target target = target();
      Deadline.await("it is let in", () -> succeeds(() -> opener.open(target)));
    }
    for (int i = 0; i < MAXIMUM; i++) {
      Deadline.await("the next client is served", () -> succeeds(() -> assertServes(target())));
    }
  }

  private static void assertServes(Target honest) throws IOException {
    assertThat(honest.serve()).isEqualTo(42);
  }

  /** Does something that the node may refuse. */
  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private static boolean succeeds(Action action) {
    try {
      action.run();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  public void connectionsThatSayNothingGiveWay() throws Exception {
    assertServesBeside(Target::silent);
  }

  /** Where the network has a way of its own, that is not begun. */
  @Test
  public void connectionsThatSayNothingBehindTheirIntroductionGiveWay() throws Exception {
    assertServesBeside(Target::answered);
  }

  @Test
  public void connectionsForMessagesThatShowNoKeyGiveWay() throws Exception {
    assertServesBeside(Target::withoutKey);
  }

  @Test
  public void idleConnectionsGiveWay() throws Exception {
    assertServesBeside(Target::introduced);
  }

  @Test
  public void idleConnectionsGiveWayWhereTheProcessMayOpenFewFiles() throws Exception {
    startWithFewFiles();
    assertServesBeside(DESCRIPTORS + MAXIMUM, Target::introduced);
  }

  @Test
  public void idleLinksGiveWayWhereTheProcessMayOpenFewFiles() throws Exception {
    startWithFewFiles();
    assertServesBeside(DESCRIPTORS + MAXIMUM, Attacks::keyed);
  }

  private void startWithFewFiles() throws Exception {
    end();
    targets.clear();
    start(
        List.of("/bin/sh", "-c", "ulimit -n " + DESCRIPTORS + " && exec \"$0\" \"$@\""), "-Xmx4g");
  }

  @Test
  public void callsThatDoNotGoOnGiveWay() throws Exception {
    assertServesBeside(
        target -> {
          RawPeer peer = target.introduced();
          byte[] call = peer.request(object, Target.ADD).toArray();
          peer.send(RawPeer.header(RawPeer.CALL, call.length + 8));
          peer.send(call);
        });
  }

  @Test
  public void repliesThatAreNotReadGiveWay() throws Exception {
    assertServesBeside(
        target -> {
          RawPeer peer = target.introduced();
          WireBytes body = peer.request(object, Target.BYTES);
          peer.frame(RawPeer.CALL, body.int32(8 << 20).toArray());
        });
  }

  /** From some the next call is awaited, with little room or none to tell them that they go. */
  @Test
  public void connectionsWhoseBuffersAreFullGiveWay() throws Exception {
    assertServesBeside(
        target -> {
          RawPeer peer = target.introduced();
          for (int i = 4 * targets.size(); i > 0; i--) {
            peer.frame(RawPeer.CALL, peer.request(object, Target.BYTES).int32(FEW_BYTES).toArray());
          }
        });
  }
}
