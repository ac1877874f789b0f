package io.karmi.exchange;

import io.karmi.exchange.directory.Report;
import io.karmi.exchange.pull.FetchGroup;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.Naming;
import java.util.Random;

/** A member that asks for the same piece thousands of times, all at once. */
public final class GreedyMain {
  private static final int REQUESTS = 2_000;

  private GreedyMain() {}

  /**
   * The program.
   *
   * @param arguments URL of the space; a group
   */
  public static void main(String... arguments) throws Exception {
    Messaging messaging = Messaging.ofThisNode();
    MetadataServer server = (MetadataServer) Naming.lookup(arguments[0]);
    MetadataServer.Registration registered = server.register(messaging.address(), 0, true);
    registered.membership().begin(new Random().nextLong());
    GroupAddress group = GroupAddress.parse(arguments[1]);
    Address holder = registered.membership().holders(group)[0];
    FetchGroup request =
        new FetchGroup(
            registered.joined().space(),
            registered.joined().secret(),
            group,
            0,
            FetchGroup.PIECE_BYTES);
    for (int i = 0; i < REQUESTS; i++) {
      messaging.request(request, holder);
    }
    System.out.println("asked");
    while (true) {
      registered.membership().update(Report.EMPTY);
      Thread.sleep(1000);
    }
  }
}
