package io.karmi.tcp;

import io.karmi.id.NodeId;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Peers by what they are known by. A peer is kept as long as a reference to one of its objects, or
 * a connection to it, is; so a server forgets the clients that it once called. Thread-safe.
 */
final class PeerTable<K> {
  private final TcpTechnology technology;
  private final Map<K, Entry<K>> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<Peer> gone = new ReferenceQueue<>();

  PeerTable(TcpTechnology technology) {
    this.technology = technology;
  }

  /** The peer, made if need be. */
  Peer get(K key) {
    for (; ; ) {
      Entry<K> entry = entries.get(key);
      Peer peer = entry == null ? null : entry.get();
      if (peer != null) {
        return peer;
      }
      peer = new Peer(technology, key instanceof NodeId);
      Entry<K> made = new Entry<>(key, peer, gone);
      if (entry == null
          ? entries.putIfAbsent(key, made) == null
          : entries.replace(key, entry, made)) {
        return peer;
      }
    }
  }

  /** Drops what is left of peers that nobody knows any more. */
  void purge() {
    for (Reference<? extends Peer> next = gone.poll(); next != null; next = gone.poll()) {
      entries.remove(((Entry<?>) next).key, next);
    }
  }

  private static final class Entry<K> extends WeakReference<Peer> {
    private final K key;

    Entry(K key, Peer peer, ReferenceQueue<Peer> queue) {
      super(peer, queue);
      this.key = key;
    }
  }
}
