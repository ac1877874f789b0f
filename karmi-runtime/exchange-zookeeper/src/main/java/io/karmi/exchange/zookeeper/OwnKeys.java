package io.karmi.exchange.zookeeper;

import io.karmi.exchange.GroupAddress;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a member has bound. ZooKeeper tells of those that others have replaced or dropped;
 * it is asked for no others. Thread-safe.
 */
final class OwnKeys {
  private final Store store;
  private final Nodes nodes;
  private final long millis;

  /** Those to be looked at. */
  private final Set<Key> changed = ConcurrentHashMap.newKeySet();

  /**
   * None yet.
   *
   * @param millis limit for each answer
   */
  OwnKeys(Store store, Nodes nodes, long millis) {
    this.store = store;
    this.nodes = nodes;
    this.millis = millis;
  }

  /** A key and the group that the member has bound it to. */
  record Key(String key, GroupAddress group) {}

  void add(String key, GroupAddress group) {
    changed.add(new Key(key, group));
  }

  /** Those that are bound so no more, again and again until they are forgotten. */
  Set<Key> look() throws IOException, KeeperException {
    Set<Key> gone = ConcurrentHashMap.newKeySet();
    Store.all(List.copyOf(changed), each -> look(each, gone), millis);
    return gone;
  }

  private CompletableFuture<?> look(Key key, Set<Key> gone) {
    changed.remove(key); // it may change again from now on
    return store
        .data(
            nodes.key(key.key()),
            event -> {
              if (event.getPath() != null) {
                changed.add(key);
              }
            })
        .whenComplete(
            (data, problem) -> {
              if (problem != null) {
                changed.add(key);
              } else if (!isBound(key, data)) {
                changed.add(key);
                gone.add(key);
              }
            });
  }

  private boolean isBound(Key key, Store.@Nullable Data data) {
    try {
      return data != null
          && Nodes.Key.of(nodes.key(key.key()), data.bytes()).group().equals(key.group());
    } catch (IOException e) {
      return false; // it is what others have made of it
    }
  }

  void forget(Set<Key> gone) {
    changed.removeAll(gone);
  }
}
