package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Attack;
import io.karmi.contract.hostile.Attacks;
import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Siege;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.kit.Jvm;
import java.io.IOException;
import org.junit.Test;

/**
 * Every attack of the kit on a node over TCP, for a minute; {@code -Dkarmi.test.siegeMinutes=60}
 * for an hour, {@code -Dkarmi.test.siegeSeed=N} to see the same again, {@code
 * -Dkarmi.test.siegeOnly=words} for those attacks alone whose names have these words.
 */
public class SiegeTest {
  private static final int MINUTE_MILLIS = 60_000;

  @Test
  public void attackersTakeNothingFromTheNextClient() throws Exception {
    long minutes = Long.getLong("karmi.test.siegeMinutes", 1);
    long seed = Long.getLong("karmi.test.siegeSeed", System.nanoTime());
    String only = System.getProperty("karmi.test.siegeOnly", "");
    System.out.println("siege with -Dkarmi.test.siegeSeed=" + seed);
    try (Jvm node = besieged()) {
      SocketDoor door = new SocketDoor(Integer.parseInt(node.awaitLine("port ")));
      long object = Long.parseLong(node.awaitLine("object "));
      Siege siege = new Siege(door, object, () -> state(node), seed);
      if (only.isEmpty()) {
        siege.run(minutes * MINUTE_MILLIS);
      } else {
        for (Attack each : Attacks.all()) {
          if (each.toString().contains(only)) {
            siege.make(each);
          }
        }
      }
      System.out.println(siege.attacks() + " attacks; slowest, ms: " + siege.slowestMillis());
      assertThat(siege.attacks()).isPositive();
      assertThat(state(node).gadgets()).as("gadgets that ran").isZero();
      assertThat(node.lines())
          .noneMatch(line -> line.contains("UncaughtExceptionHandler"))
          .noneMatch(line -> line.startsWith("Exception in thread"));
    }
  }

  private static Jvm besieged() throws IOException {
    return Jvm.start(
        "-Xmx256m",
        "-Dkarmi.handshakeTimeout=5000",
        "-Dkarmi.messageTimeout=5000",
        Besieged.class.getName());
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
