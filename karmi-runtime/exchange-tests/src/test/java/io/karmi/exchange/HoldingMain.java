package io.karmi.exchange;

import io.karmi.exchange.remote.MetadataServer;
import io.karmi.kit.Deadline;
import io.karmi.rmi.Naming;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.Map;

/**
 * A member that is given many groups, whose objects it does not make, and prints what they take.
 */
public final class HoldingMain {
  private static final long MOST_BYTES = 200;

  /**
   * Bytes of a group that is held no longer: the table of groups keeps its size, 5 to 11 bytes for
   * each. An entry that stayed would take 56 and more.
   */
  private static final long LITTLE_BYTES = 40;

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
      Map<String, Long> counters = space.counters();
      System.out.println("held " + counters.get("groupsHeld"));
      MetadataServer server = (MetadataServer) Naming.lookup(arguments[0]);
      Deadline.await("all is told", () -> server.stats().get("groups") == count);
      System.out.println("bytes " + bytesEach(before, count, MOST_BYTES));
      for (Group<?> each : held) {
        each.close();
      }
      Arrays.fill(held, null);
      /* The first one was sent, and is held a while for those it was sent to. */
      Deadline.await("all is told", () -> server.stats().get("groups") <= 1);
      System.out.println("left " + bytesEach(before, count, LITTLE_BYTES));
    }
  }

  /**
   * Bytes of each that are in use, when they are no more than expected: reports may be under way.
   */
  private static long bytesEach(long before, int count, long expected) throws Exception {
    long[] each = new long[1];
    Deadline.await(
        "each takes at most " + expected + " bytes",
        () -> (each[0] = Math.max(0, used() - before) / count) <= expected);
    return each[0];
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
