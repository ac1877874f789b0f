package io.karmi.contract.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/**
 * Every attack of the kit on a node of 256 MB; {@code -Dkarmi.test.siegeSeconds=3600} for an hour.
 * Then those of a sender of a megabyte a second on a node of 128 MB, as its defaults are and
 * hardened; {@code -Dkarmi.test.slowSiegeSeconds=600} for ten minutes. {@code
 * -Dkarmi.test.siegeSeed=N} to see the same again, {@code -Dkarmi.test.siegeOnly=words} for those
 * attacks alone whose names have these words.
 */
public abstract class SiegeContract {
  private static final int SECOND_MILLIS = 1000;

  /** That the next client may wait after a slow siege, beside what it waited before. */
  private static final long SERVED_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Those of docs/threat-model.md, but for TLS. */
  private static final List<String> HARDENED =
      List.of(
          "-Dkarmi.serialFilter=interface",
          "-Djdk.serialFilter=maxdepth=100;maxrefs=1000000;maxarray=1000000",
          "-Dkarmi.maxMessageBytes=16777216",
          "-Dkarmi.format=uka",
          "-Dkarmi.jrmp=false");

  /** How long it takes where nothing is set. */
  protected abstract long usualMillis();

  /** Options of the node's JVM, such as the technologies that it has. */
  protected abstract List<String> options() throws IOException;

  /**
   * Where the node is attacked.
   *
   * @param port its TCP port
   * @param way the address of its object in the technology that is named
   */
  protected abstract Door door(int port, String way);

  /** The attacks; all of the kit, and more where the network is open to more. */
  protected List<Attack> attacks(Door door) {
    return Attacks.all();
  }

  /** The technology that is attacked. */
  protected abstract String technology();

  @Test
  public void attackersTakeNothingFromTheNextClient() throws Exception {
    Long seconds = Long.getLong("karmi.test.siegeSeconds");
    long seed = Long.getLong("karmi.test.siegeSeed", System.nanoTime());
    String only = System.getProperty("karmi.test.siegeOnly", "");
    System.out.println(technology() + ": siege with -Dkarmi.test.siegeSeed=" + seed);
    try (Jvm node =
        besieged(
            "-Xmx256m",
            "-Dkarmi.format=jdk", // both formats are attacked
            "-Dkarmi.handshakeTimeout=5000",
            "-Dkarmi.messageTimeout=5000")) {
      int port = Integer.parseInt(node.awaitLine("port "));
      long object = Long.parseLong(node.awaitLine("object "));
      Door door = door(port, node.awaitLine("way " + technology() + " "));
      List<Attack> attacks = new ArrayList<>(attacks(door));
      attacks.addAll(LoginAttacks.on(Long.parseLong(node.awaitLine("logins "))));
      Siege siege = new Siege(attacks, door, object, () -> state(node), seed);
      if (only.isEmpty()) {
        siege.run(seconds == null ? usualMillis() : seconds * SECOND_MILLIS);
      } else {
        attacks.stream()
            .filter(each -> each.toString().contains(only))
            .forEach(each -> siege.make(each));
      }
      System.out.println(siege.attacks() + " attacks; slowest, ms: " + siege.slowestMillis());
      assertThat(siege.attacks()).isPositive();
      assertThat(state(node).gadgets()).as("gadgets that ran").isZero();
      assertThat(node.lines())
          .noneMatch(line -> line.contains("UncaughtExceptionHandler"))
          .noneMatch(line -> line.startsWith("Exception in thread"));
    }
  }

  private Jvm besieged(String... more) throws IOException {
    List<String> arguments = new ArrayList<>(options());
    arguments.addAll(List.of(more));
    arguments.add(Besieged.class.getName());
    return Jvm.start(arguments.toArray(new String[0]));
  }

  /** Where the attackers of a slow siege come from: the host of the clients, unless it says so. */
  protected Door attackersDoor(int port, String way) throws IOException {
    return door(port, way);
  }

  /** How long a slow siege takes where nothing is set; 0 for none. */
  protected long usualSlowSeconds() {
    return 0;
  }

  @Test
  public void aMegabyteASecondLeavesASmallNodeToTheNextClient() throws Exception {
    assertWithstandsSlowSiege("-Xmx128m");
  }

  @Test
  public void aMegabyteASecondLeavesASmallHardenedNodeToTheNextClient() throws Exception {
    List<String> options = new ArrayList<>(HARDENED);
    options.add("-Xmx128m");
    assertWithstandsSlowSiege(options.toArray(new String[0]));
  }

  private void assertWithstandsSlowSiege(String... options) throws Exception {
    long seconds = Long.getLong("karmi.test.slowSiegeSeconds", usualSlowSeconds());
    assumeTrue("-Dkarmi.test.slowSiegeSeconds", seconds > 0);
    long seed = Long.getLong("karmi.test.siegeSeed", System.nanoTime());
    System.out.println(technology() + ": slow siege with -Dkarmi.test.siegeSeed=" + seed);
    SlowSiege siege = null;
    try (Jvm node = besieged(options)) {
      int port = Integer.parseInt(node.awaitLine("port "));
      long object = Long.parseLong(node.awaitLine("object "));
      String way = node.awaitLine("way " + technology() + " ");
      Door clients = door(port, way);
      Door attackers = attackersDoor(port, way);
      List<Attack> attacks = new ArrayList<>(attacks(attackers));
      attacks.addAll(LoginAttacks.on(Long.parseLong(node.awaitLine("logins "))));
      siege = new SlowSiege(attacks, attackers, clients, object, seed);
      siege.serveNanos(); // loads classes
      long before = siege.serveNanos();
      long after = siege.run(seconds * SECOND_MILLIS);
      System.out.println(siege + "; the next client: " + after / 1_000_000 + " ms");
      assertThat(after - before).as("ns; %s: %s", siege, node.lines()).isLessThan(SERVED_NANOS);
      assertThat(state(node).gadgets()).as("gadgets that ran").isZero();
      assertThat(node.lines())
          .noneMatch(line -> line.contains("OutOfMemoryError"))
          .noneMatch(line -> line.startsWith("Exception in thread"));
    } finally {
      if (siege != null) {
        siege.end();
      }
    }
  }

  private static Besieged.State state(Jvm node) {
    try {
      return Besieged.State.parse(node.ask("state", "state "));
    } catch (IOException e) {
      throw new AssertionError("the node is gone: " + node.lines(), e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
