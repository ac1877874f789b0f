package io.karmi.exchange.zookeeper;

import io.karmi.exchange.GroupAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * The end of a group that nothing keeps: its node goes with all children that do not keep it, and
 * each host that has its file is told, all in one transaction. If something has begun to keep it
 * meanwhile, its node has a child more, and the transaction fails.
 */
final class Ending {
  private final Turn turn;
  private final GroupAddress group;

  /* Guarded by this. */
  private final List<Op> changes = new ArrayList<>();
  private final List<Op> told = new ArrayList<>();
  private final List<GroupAddress> referred = new ArrayList<>();
  private boolean isHere;
  private boolean isRead = true;

  Ending(Turn turn, GroupAddress group) {
    this.turn = turn;
    this.group = group;
  }

  /** Takes a child of the group's node into account. */
  CompletableFuture<@Nullable Void> add(String child) {
    String path = turn.nodes.child(group, child);
    switch (child.charAt(0)) {
      case Nodes.READS:
      case Nodes.REFERS:
        return turn.data(group, child)
            .thenAccept(
                data -> {
                  if (data != null) {
                    add(path, child.charAt(0), data);
                  }
                });
      case Nodes.HOST:
        Long host = Nodes.host(child);
        if (host != null) {
          tell(host);
        }
        break;
      default: // of no one that is known: it goes as well
    }
    change(Store.delete(path));
    return Store.done();
  }

  private synchronized void change(Op change) {
    changes.add(change);
  }

  private synchronized void add(String path, char kind, Store.Data data) {
    if (kind == Nodes.READS) {
      Nodes.Reads reads = Nodes.Reads.of(path, data.bytes());
      isRead = reads == null || reads.left() == 0;
    } else {
      referred.addAll(Nodes.groups(path, data.bytes()));
    }
    changes.add(Op.delete(path, data.stat().getVersion()));
  }

  private synchronized void tell(long host) {
    if (host == turn.host && !turn.isForOwner(group)) {
      isHere = true;
    } else if (!turn.living.of(host).isEmpty()) {
      told.add(turn.store.create(turn.nodes.free(host, group)));
    }
  }

  /** Whether no counted reads are left; all children are known. */
  synchronized boolean mayEnd() {
    return isRead;
  }

  /** What is to be done; all children are known. */
  synchronized Unfinished.Step step() {
    return new Unfinished.Step(group, isHere, List.copyOf(referred));
  }

  /** Ends it; false if its node has changed. */
  synchronized CompletableFuture<Boolean> end() {
    List<Op> all = new ArrayList<>(changes);
    all.add(Store.delete(turn.nodes.group(group)));
    all.addAll(told);
    int first = changes.size() + 1;
    return turn.store
        .commit(all)
        .thenCompose(
            outcome -> {
              if (outcome.isDone()) {
                return CompletableFuture.completedFuture(true);
              }
              if (outcome.at() >= first && outcome.code() != Code.OK) {
                return endWithout(outcome.at() - first);
              }
              return CompletableFuture.completedFuture(false);
            });
  }

  /** A host was told before, or its node has gone. */
  private synchronized CompletableFuture<Boolean> endWithout(int index) {
    told.remove(index);
    return end();
  }
}
