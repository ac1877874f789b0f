package io.karmi.exchange;

import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.DirectoryProvider;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.pull.FetchGroup;
import io.karmi.exchange.remote.ServerDirectories;
import io.karmi.messaging.Messaging;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The spaces that this JVM has joined. Thread-safe. */
final class Spaces {
  private static final Map<Long, JoinedSpace> BY_ID = new ConcurrentHashMap<>();

  /** Guarded by the class, as changes of both are. */
  private static final Map<String, JoinedSpace> BY_URL = new HashMap<>();

  /** Held while one is joined, which may wait for its directory: who leaves another does not. */
  private static final Lock JOINING = new ReentrantLock();

  /** Guarded by that. */
  private static boolean serving;

  private Spaces() {}

  static ExchangeSpace join(String url) throws IOException {
    JoinedSpace known = ofUrl(url);
    if (known != null) {
      return known;
    }
    JOINING.lock();
    try {
      known = ofUrl(url);
      return known != null ? known : joinNow(url);
    } finally {
      JOINING.unlock();
    }
  }

  private static JoinedSpace joinNow(String url) throws IOException {
    Messaging messaging = Messaging.ofThisNode();
    if (!serving) {
      leaveAtExit();
      messaging.answer(FetchGroup.class, (request, from) -> serve(request));
      serving = true;
    }
    Directory directory = provider(url).join(url, messaging.address());
    JoinedSpace known = alsoAs(url, directory.joined().space());
    if (known != null) {
      directory.leave(Report.EMPTY);
      return known;
    }
    JoinedSpace joined = begin(url, directory, messaging);
    enter(url, joined);
    return joined;
  }

  private static synchronized @Nullable JoinedSpace ofUrl(String url) {
    return BY_URL.get(url);
  }

  /** The space of a number, which has another URL as well from now on; null if it is not joined. */
  private static synchronized @Nullable JoinedSpace alsoAs(String url, long id) {
    JoinedSpace known = BY_ID.get(id);
    if (known != null) {
      BY_URL.put(url, known);
    }
    return known;
  }

  private static synchronized void enter(String url, JoinedSpace joined) {
    BY_ID.put(joined.id(), joined);
    BY_URL.put(url, joined);
  }

  private static void leaveAtExit() throws IOException {
    Thread leave = new Thread(Spaces::leaveAll, "KaRMI Exchange Shutdown");
    try {
      Runtime.getRuntime().addShutdownHook(leave);
    } catch (IllegalStateException e) {
      throw new IOException("the JVM is about to end, and joins no exchange space", e);
    }
  }

  private static JoinedSpace begin(String url, Directory directory, Messaging messaging)
      throws IOException {
    JoinedSpace joined;
    try {
      joined = new JoinedSpace(url, directory, messaging);
    } catch (IOException | RuntimeException e) {
      directory.leave(Report.EMPTY);
      throw e;
    }
    try {
      joined.begin();
      return joined;
    } catch (IOException | RuntimeException e) {
      joined.close();
      throw e;
    }
  }

  private static DirectoryProvider provider(String url) {
    DirectoryProvider ofServers = new ServerDirectories();
    if (ofServers.accepts(url)) {
      return ofServers;
    }
    List<String> found = new ArrayList<>();
    for (DirectoryProvider each : ServiceLoader.load(DirectoryProvider.class)) {
      if (each.accepts(url)) {
        return each;
      }
      found.add(each.getClass().getName());
    }
    throw new IllegalArgumentException(
        "no directory for "
            + url
            + ": it is no RMI URL such as //host:1098/exchange, and of other kinds the class path has "
            + (found.isEmpty() ? "none" : found)
            + "; ZooKeeper's is in karmi-exchange-zookeeper.jar");
  }

  private static Object serve(FetchGroup request) throws IOException {
    JoinedSpace space = find(request.space());
    if (space == null) {
      throw new IOException("it has not joined the space " + Long.toHexString(request.space()));
    }
    return space.serve(request);
  }

  /** The space of a number; null if this JVM has not joined it. */
  static @Nullable JoinedSpace find(long id) {
    return BY_ID.get(id);
  }

  static JoinedSpace joined(ExchangeSpace space) {
    if (space instanceof JoinedSpace joined) {
      return joined;
    }
    throw new IllegalArgumentException(space + " is not of ExchangeSpace.join");
  }

  static synchronized void left(JoinedSpace space) {
    BY_ID.remove(space.id(), space);
    BY_URL.values().removeIf(space::equals);
  }

  private static void leaveAll() {
    BY_ID.values().forEach(JoinedSpace::close);
  }
}
