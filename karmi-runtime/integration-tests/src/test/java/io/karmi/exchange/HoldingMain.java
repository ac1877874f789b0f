package io.karmi.exchange;

import io.karmi.exchange.server.MetadataServer;
import io.karmi.kit.Deadline;
import io.karmi.rmi.Naming;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Map;

/**
 * A member that is given many groups, whose objects it does not make, and prints what they take.
 */
public final class HoldingMain {
  private HoldingMain() {}

  /**
   * The program.
   *
   * @param arguments URL of the space; how many groups
   */
  public static void main(String... arguments) throws Exception {
    int count = Integer.parseInt(arguments[1]);
    try (ExchangeSpace space = ExchangeSpace.join(arguments[0])) {
      Group<?> first = space.put("first");
      byte[] bytes = bytes(first);
      Group<?>[] held = new Group<?>[count];
      held[0] = first;
      long before = used();
      for (int i = 1; i < count; i++) {
        bytes[bytes.length - 8] = (byte) (i >>> 16); // of the sequence
        bytes[bytes.length - 7] = (byte) (i >>> 8);
        bytes[bytes.length - 6] = (byte) i;
        held[i] = (Group<?>) new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
      }
      Map<String, Long> counters = Spaces.joined(space).counters();
      System.out.println("held " + counters.get("groupsHeld"));
      MetadataServer server = (MetadataServer) Naming.lookup(arguments[0]);
      Deadline.await("all is told", () -> server.stats().get("groups") == count);
      System.out.println("bytes " + (used() - before) / count);
      for (Group<?> each : held) {
        each.close();
      }
      Deadline.await("all is told", () -> server.stats().get("groups") == 0);
      System.out.println("left " + Math.max(0, used() - before) / count);
    }
  }

  private static byte[] bytes(Group<?> group) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(group);
    }
    return bytes.toByteArray();
  }

  private static long used() {
    System.gc();
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
