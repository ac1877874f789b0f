package io.karmi.exchange.zookeeper;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.zookeeper.Store.Data;
import io.karmi.exchange.zookeeper.Store.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/** The keys of a space. A key's node and that below its group come and go in one transaction. */
final class Keys {
  private static final int MAXIMUM_TRIES = 100;

  private final Store store;
  private final Nodes nodes;
  private final boolean keeps;
  private final long millis;

  /**
   * @param keeps whether those that it binds outlive it
   * @param millis limit for each answer
   */
  Keys(Store store, Nodes nodes, boolean keeps, long millis) {
    this.store = store;
    this.nodes = nodes;
    this.keeps = keeps;
    this.millis = millis;
  }

  record Bound(Nodes.Key key, int version, long order) {}

  /** Null if the key is not bound. */
  @Nullable Bound find(String key) throws IOException, KeeperException {
    String path = nodes.key(key);
    Data data = Store.await(store.data(path), millis);
    if (data == null) {
      return null;
    }
    Nodes.Key found = Nodes.Key.of(path, data.bytes());
    if (!found.key().equals(key)) {
      throw new IOException("the node " + path + " is of another key than '" + key + "'");
    }
    return new Bound(found, data.stat().getVersion(), data.stat().getCzxid());
  }

  /**
   * Binds a key.
   *
   * @return number of the binding
   */
  long bind(String key, GroupAddress group, boolean replace, Turn turn)
      throws IOException, KeeperException {
    int length = key.getBytes(StandardCharsets.UTF_8).length;
    if (length == 0 || length > Nodes.MAXIMUM_KEY_BYTES) {
      throw new IllegalArgumentException("a key of " + length + " bytes");
    }
    for (int tries = 0; tries < MAXIMUM_TRIES; tries++) {
      Bound old = find(key);
      if (old != null && old.key().group().equals(group)) {
        return old.order();
      }
      if (old != null && !replace && !isLost(old.key().group(), turn)) {
        throw new KeyTakenException(key, old.key().group());
      }
      Unfinished.@Nullable Step replaced = old == null ? null : ended(old);
      if (replaced != null) {
        turn.unfinished.begin(replaced);
      }
      Outcome outcome = Store.await(turn.commit(changes(key, group, old, turn.me)), millis);
      if (replaced != null) {
        Store.await(turn.goOn(replaced), millis);
      }
      if (outcome.code() == Code.NONODE) {
        mend(key, old, turn);
        Store.await(turn.place(group), millis); // no one has told of it, or it has ended
      } else if (outcome.code() == Code.NODEEXISTS) {
        removeLeft(key, group);
      }
    }
    throw new IOException("the key '" + key + "' is bound by others all the time");
  }

  /** That the group which a key was bound to may end. */
  private static Unfinished.Step ended(Bound old) {
    return new Unfinished.Step(old.key().group(), false, List.of());
  }

  /** Whether no host is known to have a group. */
  private boolean isLost(GroupAddress group, Turn turn) throws IOException, KeeperException {
    List<String> children = Store.await(store.children(nodes.group(group), null), millis);
    return children == null || turn.isFetchedOnly(group, children);
  }

  private List<Op> changes(String key, GroupAddress group, @Nullable Bound old, int owner) {
    CreateMode mode = keeps ? CreateMode.PERSISTENT : CreateMode.EPHEMERAL;
    List<Op> changes = new ArrayList<>();
    if (old != null) {
      changes.add(Op.delete(nodes.key(key), old.version()));
      changes.add(Store.delete(nodes.child(old.key().group(), Nodes.boundTo(key))));
    }
    byte[] text = key.getBytes(StandardCharsets.UTF_8);
    changes.add(store.create(nodes.key(key), new Nodes.Key(key, group, owner).bytes(), mode));
    changes.add(store.create(nodes.child(group, Nodes.boundTo(key)), text, mode));
    return changes;
  }

  /** A key whose group has no node of it any more is bound to nothing. */
  private void mend(String key, @Nullable Bound old, Turn turn)
      throws IOException, KeeperException {
    if (old == null) {
      return;
    }
    String below = nodes.child(old.key().group(), Nodes.boundTo(key));
    if (!Store.await(store.exists(below, null), millis)) {
      Store.await(turn.commit(List.of(Op.delete(nodes.key(key), old.version()))), millis);
    }
  }

  /** A group's node that says a key is bound to it, which is not so, is removed. */
  private void removeLeft(String key, GroupAddress group) throws IOException, KeeperException {
    Bound now = find(key);
    if (now == null) {
      Store.await(store.commit(Store.delete(nodes.child(group, Nodes.boundTo(key)))), millis);
    }
  }

  /** Unbinds a key that is bound to a group which is lost. */
  void lose(String key, GroupAddress group) throws IOException, KeeperException {
    Bound bound = find(key);
    String below = nodes.child(group, Nodes.boundTo(key));
    if (bound != null && bound.key().group().equals(group)) {
      Store.await(
          store.commit(Op.delete(nodes.key(key), bound.version()), Store.delete(below)), millis);
    } else {
      Store.await(store.commit(Store.delete(below)), millis);
    }
  }
}
