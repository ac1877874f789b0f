package io.karmi.connection.pool;

import io.karmi.connection.call.CallConnection;
import io.karmi.connection.channel.ConnectionLog;
import io.karmi.connection.guard.Watchdog;
import io.karmi.technology.Workers;
import java.io.Closeable;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sender of signs of life that are due, in threads of its own, since a network may keep a sender
 * waiting.
 *
 * <p>A peer that waits for a reply has read all that came before, so that there is room. One that
 * has not keeps a thread here until its connection is closed. Then others go on with the rest,
 * twice as many each time, so that such peers do not keep the signs from others.
 */
public final class Heartbeat {
  /** Milliseconds for which a sign may wait for room. */
  private static final long ROOM_MILLIS = 5_000;

  /** Upper bound of threads that tell peers that this node ends. */
  private static final int MAXIMUM_FAREWELLS = 32;

  /** Upper bound of threads that wait for room. */
  private static final int MAXIMUM = 128;

  private final Watchdog watchdog;
  private final Connections connections;
  private final Workers workers;
  private final AtomicInteger going = new AtomicInteger();

  /** Sends nothing yet. */
  public Heartbeat(String name, Watchdog watchdog, Connections connections) {
    this.watchdog = watchdog;
    this.connections = connections;
    workers = new Workers("KaRMI " + name + " Heartbeat", MAXIMUM);
  }

  /** Sends the signs that are due; called by the watchdog in each round. */
  public void round(long now) {
    if (connections.dueSigns(now) > 0) {
      int more = Math.min(1 + going.get(), MAXIMUM - workers.waitingTasks());
      for (int i = 0; i < more; i++) {
        workers.execute(this::giveAll);
      }
    }
  }

  /**
   * Tells the other ends of connections that this node ends. One that takes nothing of a long reply
   * may keep a thread until {@code karmi.writeTimeout}.
   */
  public void farewell(Queue<CallConnection> connections) {
    int threads = Math.min(connections.size(), MAXIMUM_FAREWELLS);
    for (int i = 0; i < threads; i++) {
      workers.execute(() -> sayFarewells(connections));
    }
  }

  private static void sayFarewells(Queue<CallConnection> connections) {
    for (CallConnection next = connections.poll(); next != null; next = connections.poll()) {
      next.sayFarewell();
    }
  }

  private void giveAll() {
    going.incrementAndGet();
    try {
      connections.forEachDue(this::give);
    } finally {
      going.decrementAndGet();
    }
  }

  private void give(CallConnection connection) {
    Closeable late = connection::close;
    watchdog.expect(late, ROOM_MILLIS);
    try {
      connection.watch.giveSign();
    } catch (IOException e) {
      ConnectionLog.LOG.log(
          System.Logger.Level.DEBUG,
          "no sign of life reaches {0}, which waits for a reply: {1}",
          connection.peerName(),
          e);
      connection.close();
    } finally {
      watchdog.isOpen(late, ROOM_MILLIS);
    }
  }
}
