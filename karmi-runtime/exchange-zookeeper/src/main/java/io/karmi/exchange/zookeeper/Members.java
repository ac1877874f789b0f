package io.karmi.exchange.zookeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/** The members that live, as ZooKeeper has said last; it tells of changes. Thread-safe. */
final class Members {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  private final Store store;
  private final Nodes nodes;
  private final Watcher watcher = this::changed;
  private volatile boolean stale = true;

  /* Guarded by this. */
  private Living living = new Living(new TreeMap<>());
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();
  private final Map<Long, Integer> departed = new TreeMap<>();

  /** Set when one has gone: what it has left is to be looked for. */
  private boolean left = true;

  Members(Store store, Nodes nodes) {
    this.store = store;
    this.nodes = nodes;
  }

  record Living(TreeMap<Integer, Nodes.Member> byNumber) {
    Nodes.@Nullable Member get(int number) {
      return byNumber.get(number);
    }

    boolean isOn(int number, long host) {
      Nodes.Member member = byNumber.get(number);
      return member != null && member.host() == host;
    }

    boolean isFirst(int number) {
      return !byNumber.isEmpty() && byNumber.firstKey() == number;
    }

    List<Nodes.Member> of(long host) {
      List<Nodes.Member> found = new ArrayList<>();
      byNumber.values().stream().filter(each -> each.host() == host).forEach(found::add);
      return found;
    }

    Set<Long> hosts() {
      Set<Long> hosts = new HashSet<>();
      byNumber.values().forEach(each -> hosts.add(each.host()));
      return hosts;
    }
  }

  private void changed(WatchedEvent event) {
    stale = true;
  }

  /** Those that live now, or have until a moment ago. */
  synchronized Living now(long millis) throws IOException, KeeperException {
    return stale ? fresh(millis) : living;
  }

  /** Those that live now. */
  synchronized Living fresh(long millis) throws IOException, KeeperException {
    stale = false;
    try {
      List<String> names = Store.await(store.children(nodes.members(), watcher), millis);
      take(names == null ? List.of() : names, millis);
      return living;
    } catch (IOException | KeeperException e) {
      stale = true;
      throw e;
    }
  }

  private void take(List<String> names, long millis) throws IOException, KeeperException {
    unreadable.retainAll(new HashSet<>(names)); // others may come and go without end
    Map<Integer, Nodes.Member> found = new ConcurrentHashMap<>();
    Map<Integer, String> unknown = new TreeMap<>();
    for (String name : names) {
      int number = Nodes.number(name);
      Nodes.Member known = living.get(number);
      if (known != null) {
        found.put(number, known);
      } else if (number > 0 && !unreadable.contains(name)) {
        unknown.put(number, name);
      }
    }
    Store.all(
        unknown.entrySet(),
        each ->
            store
                .data(nodes.member(each.getValue()))
                .thenAccept(
                    data -> {
                      Nodes.Member member = data == null ? null : read(each.getValue(), data);
                      if (member != null) {
                        found.put(each.getKey(), member);
                      }
                    }),
        millis);
    living
        .byNumber()
        .forEach(
            (number, member) -> {
              if (!found.containsKey(number)) {
                departed.merge(member.host(), 1, Integer::sum);
                left = true;
              }
            });
    living = new Living(new TreeMap<>(found));
  }

  /** Null if it is none, which is said once. */
  private Nodes.@Nullable Member read(String name, Store.Data data) {
    String path = nodes.member(name);
    try {
      return Nodes.Member.of(path, data.bytes());
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "a member is passed over: {0}", e.getMessage());
      unreadable.add(name);
      return null;
    }
  }

  /** How many members of a host have ended while this one has looked. */
  synchronized int departed(long host) {
    return departed.getOrDefault(host, 0);
  }

  /** A host is to be looked through as if one of its members had ended. */
  synchronized void addDeparted(long host) {
    departed.merge(host, 1, Integer::sum);
  }

  /** Whether a member has ended since this was asked last, or this is the first question. */
  synchronized boolean takeLeft() {
    boolean now = left;
    left = false;
    return now;
  }

  /** What members have left was not looked through. */
  synchronized void putBackLeft() {
    left = true;
  }
}
