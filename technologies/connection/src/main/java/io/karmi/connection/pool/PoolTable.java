package io.karmi.connection.pool;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Table of pools by a name of the peer. A pool is kept as long as there is a reference to one of
 * the peer's objects, or a connection to it. So a server forgets the clients that it once called.
 * Thread-safe.
 */
final class PoolTable<K> {
  private final Function<K, ConnectionPool> maker;
  private final Map<K, Entry<K>> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<ConnectionPool> gone = new ReferenceQueue<>();

  PoolTable(Function<K, ConnectionPool> maker) {
    this.maker = maker;
  }

  /** The pool of a peer, made if need be. */
  ConnectionPool get(K key) {
    for (; ; ) {
      Entry<K> entry = entries.get(key);
      ConnectionPool peer = entry == null ? null : entry.get();
      if (peer != null) {
        return peer;
      }
      peer = maker.apply(key);
      Entry<K> made = new Entry<>(key, peer, gone);
      if (entry == null
          ? entries.putIfAbsent(key, made) == null
          : entries.replace(key, entry, made)) {
        return peer;
      }
    }
  }

  /** Removes peers to which nothing refers any more. */
  void purge() {
    for (Reference<? extends ConnectionPool> next = gone.poll(); next != null; next = gone.poll()) {
      entries.remove(((Entry<?>) next).key, next);
    }
  }

  private static final class Entry<K> extends WeakReference<ConnectionPool> {
    private final K key;

    Entry(K key, ConnectionPool peer, ReferenceQueue<ConnectionPool> queue) {
      super(peer, queue);
      this.key = key;
    }
  }
}
