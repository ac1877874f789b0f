package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.directory.Report.Dependency;
import io.karmi.messaging.Address;
import java.rmi.NoSuchObjectException;

/** Fills the table of a server with groups, each with a holder and a host, and prints its size. */
public final class TableMemoryMain {
  private static final int REPORT = 10_000;
  private static final GroupAddress[] NONE = {};

  private TableMemoryMain() {}

  /**
   * The program.
   *
   * @param arguments how many groups
   */
  public static void main(String... arguments) throws NoSuchObjectException {
    int groups = Integer.parseInt(arguments[0]);
    GroupTable table = new GroupTable(1, 2, 3);
    Joined member = table.register(new Address(), 0, 0, true, "host");
    table.begin(member.member(), 7);
    long before = used();
    for (int from = 0; from < groups; from += REPORT) {
      GroupAddress[] some = new GroupAddress[Math.min(REPORT, groups - from)];
      for (int i = 0; i < some.length; i++) {
        some[i] = new GroupAddress(member.member(), (from + i) << 9, member.generation());
      }
      table.update(
          member.member(),
          new Report(some, new int[some.length], NONE, NONE, new Dependency[0], some));
    }
    System.out.println("bytes " + (used() - before) / groups);
    System.out.println("groups " + table.stats().get("groups"));
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
