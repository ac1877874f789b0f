package io.karmi.exchange.zookeeper;

import io.karmi.exchange.GroupAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.zookeeper.KeeperException;

/**
 * The files that a host is told to remove. What ZooKeeper has not told of a change of is not asked
 * for. What a living member has put is its own to remove: it alone knows what else is in a pack.
 */
final class FreeFiles {
  private final Store store;
  private final Nodes nodes;
  private final Members members;
  private final long host;
  private final long millis;

  /** 1 for each part that may have changed. */
  private final AtomicIntegerArray stale = new AtomicIntegerArray(Nodes.FREE_SHARDS);

  private int departed = -1;

  FreeFiles(Store store, Nodes nodes, Members members, long host, long millis) {
    this.store = store;
    this.nodes = nodes;
    this.members = members;
    this.host = host;
    this.millis = millis;
  }

  /** Takes those that are this member's to remove. */
  synchronized void take(Turn turn) throws IOException, KeeperException {
    int departedNow = members.departed(host);
    if (departed != departedNow) {
      departed = departedNow; // what was theirs is anyone's
      for (int i = 0; i < Nodes.FREE_SHARDS; i++) {
        stale.set(i, 1);
      }
    }
    for (int i = 0; i < Nodes.FREE_SHARDS; i++) {
      if (stale.getAndSet(i, 0) == 1) {
        try {
          take(i, turn);
        } catch (IOException | KeeperException e) {
          stale.set(i, 1);
          throw e;
        }
      }
    }
  }

  private void take(int shard, Turn turn) throws IOException, KeeperException {
    List<String> names =
        Store.await(store.children(nodes.free(host, shard), event -> stale.set(shard, 1)), millis);
    if (names == null) { // taken for those of a host that has gone
      SpaceNodes.makeHost(store, nodes, host);
      stale.set(shard, 1);
      members.addDeparted(host); // what it was told meanwhile is lost
      return;
    }
    List<GroupAddress> own = new ArrayList<>();
    for (String each : names) {
      GroupAddress group = Nodes.group(each);
      if (group != null && !turn.isForOwner(group)) {
        own.add(group);
      }
    }
    Store.all(own, turn::file, millis); // someone may have held it again
    Store.all(own, each -> store.commit(Store.delete(nodes.free(host, each))), millis);
  }
}
