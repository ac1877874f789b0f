package io.karmi.jmx;

import io.karmi.guard.AllocatedBytes;
import io.karmi.guard.Ledger;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * What one client makes connector servers keep: its connection, for which the JDK has a thread, and
 * its listeners. Listeners that are beans stay when the client has gone, and count until they are
 * removed. Thread-safe.
 */
final class ClientShare {
  private static final int PART_OF_CONNECTIONS = 4;
  private static final int LISTENERS_PART_OF_HEAP = 16;

  /** Counted for a listener where the JVM does not count what threads allocate, and for a bean. */
  private static final long USUAL_BYTES = 2048;

  /** The most memory that a byte of a parameter fills: four elements of an array of references. */
  private static final int MEMORY_FOR_A_BYTE = 16;

  /** A client may wait for notifications in a call, so most connections are kept for others. */
  private static final Ledger CONNECTIONS =
      new Ledger(
          "a quarter of karmi.maxConnections",
          Math.max(1, Settings.MAX_CONNECTIONS.get() / PART_OF_CONNECTIONS),
          Ledger.Weakest.NONE);

  private static final Ledger LISTENERS =
      new Ledger(
          "a sixteenth of the heap",
          Runtime.getRuntime().maxMemory() / LISTENERS_PART_OF_HEAP,
          Ledger.Weakest.NONE);

  /** Bytes of the listeners that are beans. */
  private static final Map<Listening, PriorityQueue<BeanListener>> BEANS = new HashMap<>();

  /** What stands for a server of beans, without keeping it alive. */
  private static final Map<MBeanServer, Object> SERVERS =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Names within a server: of the bean that is listened to, and of the listener. */
  private record Listening(Object server, ObjectName bean, ObjectName listener) {}

  private record BeanListener(String host, long bytes) implements Comparable<BeanListener> {
    @Override
    public int compareTo(BeanListener other) {
      return Long.compare(bytes, other.bytes);
    }
  }

  private final String host;
  private final Object server;
  private final Ledger.Account account;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Bytes of each listener by its number; guarded by this. */
  private final Map<Integer, Long> listeners = new HashMap<>();

  private ClientShare(String host, MBeanServer server) {
    this.host = host;
    this.server = SERVERS.computeIfAbsent(server, any -> new Object());
    this.account = LISTENERS.open(() -> host, 0, reason -> false);
  }

  String host() {
    return host;
  }

  /**
   * The share of one more connection, which must be {@linkplain #close closed}.
   *
   * @throws IOException if there are too many
   */
  static ClientShare open(String host, MBeanServer server) throws IOException {
    Ledger.Outcome outcome = CONNECTIONS.take(host, 1);
    if (outcome != Ledger.Outcome.TAKEN) {
      throw new IOException(
          "too many JMX connections: "
              + CONNECTIONS.taken()
              + " are open, of them "
              + CONNECTIONS.takenBy(host)
              + " of "
              + host
              + "; all may have "
              + CONNECTIONS.most()
              + " (a quarter of karmi.maxConnections), one host seven eighths of them");
    }
    return new ClientShare(host, server);
  }

  /** Gives all back but listeners that are beans. */
  void close() {
    if (closed.compareAndSet(false, true)) {
      CONNECTIONS.giveBack(host, 1);
      account.close();
    }
  }

  /** Begins to measure what this thread takes for a listener. */
  Growth grow() {
    return new Growth();
  }

  /** Why a client is refused more listeners. */
  IOException tooMuch() {
    return new IOException(
        "too many JMX listeners: those of "
            + host
            + " take "
            + LISTENERS.takenBy(host)
            + " bytes, those of all "
            + LISTENERS.taken()
            + " of at most "
            + LISTENERS.most()
            + " (a sixteenth of the heap, one host seven eighths of it); remove some");
  }

  /** Gives back what removed listeners have taken. */
  synchronized void giveBack(@Nullable Integer... removed) {
    for (Integer each : removed) {
      Long bytes = listeners.remove(each);
      if (bytes != null) {
        account.hold(-bytes);
      }
    }
  }

  /**
   * Counts a listener that is a bean, before it is added: it cannot be told from others of the same
   * names, and so not be removed alone.
   *
   * @param parameterBytes of its filter and handback, marshalled
   * @return false if there is no room
   */
  boolean takeBean(ObjectName bean, ObjectName listener, int parameterBytes) {
    long bytes = USUAL_BYTES + (long) MEMORY_FOR_A_BYTE * parameterBytes;
    synchronized (BEANS) {
      boolean room = LISTENERS.take(host, bytes) == Ledger.Outcome.TAKEN;
      if (room) {
        BEANS
            .computeIfAbsent(new Listening(server, bean, listener), any -> new PriorityQueue<>())
            .add(new BeanListener(host, bytes));
      }
      return room;
    }
  }

  /** Gives back what listeners have taken that are beans, and listen to one that is gone. */
  void giveBackGone(Predicate<ObjectName> isThere) {
    List<Listening> all;
    synchronized (BEANS) {
      all = List.copyOf(BEANS.keySet());
    }
    for (Listening each : all) {
      if (each.server == server && !isThere.test(each.bean)) {
        giveBackAll(each.bean, each.listener);
      }
    }
  }

  /** Gives back what the smallest listener of these names has taken: which one is not known. */
  void giveBackOne(ObjectName bean, ObjectName listener) {
    synchronized (BEANS) {
      PriorityQueue<BeanListener> queue = BEANS.get(new Listening(server, bean, listener));
      BeanListener one = queue == null ? null : queue.poll();
      if (one != null) {
        LISTENERS.giveBack(one.host, one.bytes);
      }
      if (queue != null && queue.isEmpty()) {
        BEANS.remove(new Listening(server, bean, listener));
      }
    }
  }

  /** Gives back what all listeners of these names have taken. */
  void giveBackAll(ObjectName bean, ObjectName listener) {
    synchronized (BEANS) {
      PriorityQueue<BeanListener> queue = BEANS.remove(new Listening(server, bean, listener));
      if (queue != null) {
        queue.forEach(each -> LISTENERS.giveBack(each.host, each.bytes));
      }
    }
  }

  /** The memory of a listener that is being added: all that the thread allocates. */
  final class Growth {
    private final long before = AllocatedBytes.ofCurrentThread();

    /** Counts a listener by its number; false if there is no room. */
    boolean keep(Integer listener) {
      long bytes = AllocatedBytes.since(before, USUAL_BYTES);
      synchronized (ClientShare.this) {
        boolean room = account.hold(bytes);
        if (room) {
          listeners.put(listener, bytes);
        }
        return room;
      }
    }
  }
}
