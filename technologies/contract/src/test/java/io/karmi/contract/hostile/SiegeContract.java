package io.karmi.contract.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/**
 * Every attack of the kit on a node of 256 MB; {@code -Dkarmi.test.siegeSeconds=3600} for an hour,
 * {@code -Dkarmi.test.siegeSeed=N} to see the same again, {@code -Dkarmi.test.siegeOnly=words} for
 * those attacks alone whose names have these words.
 */
public abstract class SiegeContract {
  private static final int SECOND_MILLIS = 1000;

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
    try (Jvm node = besieged()) {
      int port = Integer.parseInt(node.awaitLine("port "));
      long object = Long.parseLong(node.awaitLine("object "));
      Door door = door(port, node.awaitLine("way " + technology() + " "));
      List<Attack> attacks = attacks(door);
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

  private Jvm besieged() throws IOException {
    List<String> arguments = new ArrayList<>(options());
    arguments.addAll(
        List.of(
            "-Xmx256m",
            "-Dkarmi.format=jdk", // both formats are attacked
            "-Dkarmi.handshakeTimeout=5000",
            "-Dkarmi.messageTimeout=5000",
            Besieged.class.getName()));
    return Jvm.start(arguments.toArray(new String[0]));
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
