package io.karmi.exchange;

import io.karmi.exchange.directory.Report;
import io.karmi.exchange.pull.FetchGroup;
import io.karmi.exchange.record.GroupHeader;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.Naming;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A member that says it has groups of others, and tells another length than they have. */
public final class LyingMain {
  /** Of a group that is not given slowly: for as much there is room. */
  private static final long LONG_BYTES = 1L << 28;

  private LyingMain() {}

  /**
   * The program.
   *
   * @param arguments URL of the space; milliseconds for which each piece of a first group is
   *     awaited; the groups, of which the first one is given slowly, the second one takes more than
   *     any disk has, the third one is one of 100 bytes, and others are long ones
   */
  public static void main(String... arguments) throws Exception {
    Messaging messaging = Messaging.ofThisNode();
    long pauseMillis = Long.parseLong(arguments[1]);
    GroupAddress[] groups = new GroupAddress[arguments.length - 2];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = GroupAddress.parse(arguments[i + 2]);
    }
    messaging.answer(
        FetchGroup.class,
        (request, from) ->
            request.group().equals(groups[0])
                ? CompletableFuture.supplyAsync(
                    () -> piece(request, LONG_BYTES),
                    CompletableFuture.delayedExecutor(pauseMillis, TimeUnit.MILLISECONDS))
                : piece(
                    request,
                    request.group().equals(groups[1])
                        ? 1L << 50
                        : request.group().equals(groups[2]) ? 100 : LONG_BYTES));
    MetadataServer server = (MetadataServer) Naming.lookup(arguments[0]);
    MetadataServer.Registration registered = server.register(messaging.address(), 0, true);
    registered.membership().begin(new Random().nextLong());
    GroupAddress[] none = {};
    Report claims =
        new Report(groups, new int[groups.length], none, none, new Report.Dependency[0], groups);
    registered.membership().update(claims);
    System.out.println("holds them");
    while (true) {
      registered.membership().update(Report.EMPTY);
      Thread.sleep(1000);
    }
  }

  private static byte[] piece(FetchGroup request, long total) {
    int length = (int) Math.max(0, Math.min(request.most(), total - request.from()));
    ByteBuffer piece = ByteBuffer.allocate(FetchGroup.LENGTH_BYTES + length);
    piece.order(ByteOrder.LITTLE_ENDIAN).putLong(total);
    if (request.from() == 0) {
      long body = total - GroupHeader.BYTES;
      piece.put(new GroupHeader(0, request.space(), request.group(), body, 0, 0).bytes());
    }
    return piece.array();
  }
}
