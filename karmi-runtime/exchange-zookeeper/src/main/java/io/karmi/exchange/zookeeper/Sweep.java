package io.karmi.exchange.zookeeper;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Looks for what members have left that have ended: files of hosts without members, groups that
 * nothing keeps any more, keys of groups that are lost. The first member of all does that, some of
 * it with each report.
 *
 * <p>A list of a group's children is judged by members that were asked for later: a host that it
 * names and that has no member has none any more.
 */
final class Sweep {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  /** Time that it takes of a report. */
  private static final long MAXIMUM_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Store store;
  private final Nodes nodes;
  private final Members members;
  private final Keys keys;
  private final long millis;

  /** The part of the groups that is looked through next; all are, if it is the number of parts. */
  private int next = Nodes.SHARDS;

  Sweep(Store store, Nodes nodes, Members members, Keys keys, long millis) {
    this.store = store;
    this.nodes = nodes;
    this.members = members;
    this.keys = keys;
    this.millis = millis;
  }

  /** Makes turns for members as they are then. */
  @FunctionalInterface
  interface Turns {
    Turn with(Members.Living living);
  }

  synchronized void goOn(Turns turns) throws IOException, KeeperException {
    if (members.takeLeft()) {
      next = 0;
      removeHosts();
    }
    long end = System.nanoTime() + MAXIMUM_NANOS;
    while (next < Nodes.SHARDS && end - System.nanoTime() > 0) {
      sweep(Nodes.shard(nodes.groups(), next), turns);
      next++;
    }
  }

  /** What hosts are to be told that have no member. */
  private void removeHosts() throws IOException, KeeperException {
    List<String> hosts = Store.await(store.children(nodes.free(), null), millis);
    Set<Long> living = members.fresh(millis).hosts();
    for (String each : hosts == null ? List.<String>of() : hosts) {
      Long host = Nodes.host(Nodes.HOST + each);
      if (host != null && !living.contains(host)) {
        removeHost(host);
      }
    }
  }

  private void removeHost(long host) throws IOException, KeeperException {
    for (int i = 0; i < Nodes.FREE_SHARDS; i++) {
      String shard = nodes.free(host, i);
      List<String> names = Store.await(store.children(shard, null), millis);
      Store.all(
          names == null ? List.<String>of() : names,
          name -> store.commit(Store.delete(shard + '/' + name)),
          millis);
      Store.await(store.commit(Store.delete(shard)), millis);
    }
    Store.await(store.commit(Store.delete(nodes.free(host))), millis);
  }

  private void sweep(String shard, Turns turns) throws IOException, KeeperException {
    List<String> names = Store.await(store.children(shard, null), millis);
    Map<GroupAddress, List<String>> groups = new ConcurrentHashMap<>();
    List<GroupAddress> named = new ArrayList<>();
    for (String each : names == null ? List.<String>of() : names) {
      GroupAddress group = Nodes.group(each);
      if (group != null) {
        named.add(group);
      }
    }
    Store.all(
        named,
        each ->
            store
                .children(nodes.group(each), null)
                .thenAccept(children -> groups.put(each, children == null ? List.of() : children)),
        millis);
    Turn turn = turns.with(members.fresh(millis));
    for (Map.Entry<GroupAddress, List<String>> each : groups.entrySet()) {
      try {
        sweep(each.getKey(), each.getValue(), turn);
      } catch (IOException e) { // what is in one node does not end the search
        LOG.log(System.Logger.Level.WARNING, "group " + each.getKey() + " is passed over", e);
      }
    }
  }

  /** Looks for what is left of one group. */
  synchronized void look(GroupAddress group, Turn turn) throws IOException, KeeperException {
    List<String> children = Store.await(store.children(nodes.group(group), null), millis);
    if (children != null) {
      sweep(group, children, turn);
    }
  }

  private void sweep(GroupAddress group, List<String> children, Turn turn)
      throws IOException, KeeperException {
    AtomicBoolean changed = new AtomicBoolean(children.stream().noneMatch(Turn::keeps));
    List<String> left = new ArrayList<>(children);
    Set<Long> living = turn.living.hosts();
    for (String child : children) {
      if (child.charAt(0) == Nodes.HOST) {
        Long host = Nodes.host(child);
        if (host == null || !living.contains(host)) {
          left.remove(child);
          remove(nodes.child(group, child));
          changed.set(true);
        }
      }
    }
    boolean lost = turn.isNowhere(group, left);
    for (String child : children) {
      if (lost && child.charAt(0) == Nodes.KEY) {
        lose(group, child);
        changed.set(true);
      }
      if (child.charAt(0) == Nodes.REFERRER) {
        changed.compareAndSet(false, removeReferrer(group, child));
      }
      if (child.charAt(0) == Nodes.READS) {
        changed.compareAndSet(false, removeReads(group, child, lost, turn));
      }
    }
    if (changed.get()) {
      Store.await(turn.endIfFree(group), millis);
    }
  }

  private void remove(String path) throws IOException, KeeperException {
    Store.await(store.commit(Store.delete(path)), millis);
  }

  private void lose(GroupAddress group, String child) throws IOException, KeeperException {
    Store.Data data = Store.await(store.data(nodes.child(group, child)), millis);
    byte[] text = data == null ? null : data.bytes();
    if (text != null && text.length > 0 && text.length <= Nodes.MAXIMUM_KEY_BYTES) {
      String key = new String(text, StandardCharsets.UTF_8);
      keys.lose(key, group);
      LOG.log(
          System.Logger.Level.WARNING,
          "the key {0} is lost: group {1} has gone with the last member of its host",
          key,
          group);
    }
  }

  /** Removes a group from those that refer to another one if it has ended. */
  private boolean removeReferrer(GroupAddress group, String child)
      throws IOException, KeeperException {
    GroupAddress by = Nodes.group(child.substring(1));
    boolean ended = by == null || !Store.await(store.exists(nodes.group(by), null), millis);
    if (ended) {
      remove(nodes.child(group, child));
    }
    return ended;
  }

  /** Removes the count of reads whose writer has ended, or of a stored group that is lost. */
  private boolean removeReads(GroupAddress group, String child, boolean lost, Turn turn)
      throws IOException, KeeperException {
    String path = nodes.child(group, child);
    Store.Data data = Store.await(turn.data(group, child), millis);
    if (data == null) {
      return false;
    }
    Nodes.Reads reads = Nodes.Reads.of(path, data.bytes());
    boolean over =
        lost
            || reads == null
            || reads.left() != Report.STORED && !isAlive(reads.writer(), group, turn);
    CompletableFuture<Store.Outcome> removed =
        over
            ? store.commit(Op.delete(path, data.stat().getVersion()))
            : CompletableFuture.completedFuture(new Store.Outcome(Code.NONODE, 0));
    return Store.await(removed, millis).isDone();
  }

  private static boolean isAlive(int writer, GroupAddress group, Turn turn) {
    return turn.living.get(writer == 0 ? group.member() : writer) != null;
  }
}
