package io.karmi.exchange.zookeeper;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.zookeeper.Store.Data;
import io.karmi.exchange.zookeeper.Store.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * What one report of a member changes. All changes are transactions, each with a check that the
 * member's node is there: so nothing is changed by a member whose session has ended. To do a thing
 * twice changes nothing, but for counted reads.
 */
final class Turn {
  /** How often a change is tried whose node others change meanwhile. */
  private static final int MAXIMUM_TRIES = 50;

  final Store store;
  final Nodes nodes;
  final int me;
  final long host;
  final Members.Living living;
  final Unfinished unfinished;
  private final Op check;
  private final long session;

  /** Groups that no host has, though a key is bound to them. */
  final Queue<GroupAddress> lost = new ConcurrentLinkedQueue<>();

  /**
   * @param path of its node
   * @param session in which that was made
   * @param unfinished of this member
   */
  Turn(
      Store store,
      Nodes nodes,
      String path,
      long session,
      long host,
      Members.Living living,
      Unfinished unfinished) {
    this.session = session;
    this.store = store;
    this.nodes = nodes;
    this.me = Nodes.number(path);
    this.host = host;
    this.living = living;
    this.unfinished = unfinished;
    check = Op.check(path, -1);
  }

  /** A child of a group's node that is to be there. */
  private record Child(String name, byte[] data, CreateMode mode) {
    Child(String name) {
      this(name, Nodes.NOTHING, CreateMode.PERSISTENT);
    }
  }

  private static <A> CompletableFuture<A> failed(IOException problem) {
    return CompletableFuture.failedFuture(problem);
  }

  /** Commits changes of this member, which is known to live then. */
  CompletableFuture<Outcome> commit(List<Op> changes) {
    List<Op> all = new ArrayList<>();
    all.add(check);
    all.addAll(changes);
    return store
        .commit(all, session)
        .thenCompose(
            outcome ->
                outcome.failed(0, Code.NONODE)
                    ? failed(new MembershipLostException(check.getPath()))
                    : CompletableFuture.completedFuture(
                        outcome.isDone()
                            ? outcome
                            : new Outcome(outcome.code(), outcome.at() - 1)));
  }

  private CompletableFuture<Outcome> commit(Op... changes) {
    return commit(List.of(changes));
  }

  private static <A> CompletableFuture<A> tooOften(GroupAddress group) {
    return failed(new IOException("the nodes of group " + group + " change all the time"));
  }

  /** Whether this member may say how often a group is read, or bind a key to it. */
  boolean mayOwn(GroupAddress group, int generation) {
    return group.member() == me
        || group.generation() != generation
        || living.get(group.member()) == null;
  }

  /** Holds a group; its file is here as well where that is said. */
  CompletableFuture<@Nullable Void> hold(GroupAddress group, boolean hasFile) {
    List<Child> wanted = new ArrayList<>();
    wanted.add(new Child(Nodes.holder(me), Nodes.NOTHING, CreateMode.EPHEMERAL));
    if (hasFile) {
      wanted.add(new Child(Nodes.host(host)));
    }
    return add(group, wanted, group.member() == me);
  }

  /** Makes sure that a group's node and its host are there. */
  CompletableFuture<@Nullable Void> place(GroupAddress group) {
    return add(group, List.of(new Child(Nodes.host(host))), true);
  }

  private CompletableFuture<@Nullable Void> add(
      GroupAddress group, List<Child> wanted, boolean isNew) {
    return add(group, wanted, new ArrayList<>(wanted), isNew, MAXIMUM_TRIES);
  }

  private CompletableFuture<@Nullable Void> add(
      GroupAddress group, List<Child> wanted, List<Child> missing, boolean isNew, int tries) {
    if (tries == 0) {
      return tooOften(group);
    }
    List<Op> changes = new ArrayList<>();
    if (isNew) {
      changes.add(store.create(nodes.group(group)));
    }
    for (Child each : missing) {
      changes.add(store.create(nodes.child(group, each.name()), each.data(), each.mode()));
    }
    return commit(changes)
        .thenCompose(
            outcome -> {
              if (outcome.isDone()) {
                return Store.done();
              }
              if (outcome.code() == Code.NONODE) {
                return add(group, wanted, new ArrayList<>(wanted), true, tries - 1);
              }
              int first = isNew ? 1 : 0;
              if (outcome.at() >= first) {
                missing.remove(outcome.at() - first);
              }
              return missing.isEmpty()
                  ? Store.done()
                  : add(group, wanted, missing, false, tries - 1);
            });
  }

  /** Says that the file of a group is on this host; of one that has ended it is to be removed. */
  CompletableFuture<@Nullable Void> file(GroupAddress group) {
    return commit(store.create(nodes.child(group, Nodes.host(host))))
        .thenAccept(
            outcome -> {
              if (outcome.code() == Code.NONODE) {
                freeUnknown(group);
              }
            });
  }

  /**
   * The file of a group that is not known is to be removed, but not by a neighbour of the member
   * that has put it: that one may not have told of it yet, and removes its own files.
   */
  private void freeUnknown(GroupAddress group) {
    if (!isForOwner(group)) {
      unfinished.free(group);
    }
  }

  /** Counts the reads that keep a group, once. */
  CompletableFuture<@Nullable Void> count(GroupAddress group, int reads) {
    return changeReads(
        group,
        known -> {
          boolean stored = reads == Report.STORED;
          if (known == null || stored && known.left() != Report.STORED) {
            return new Nodes.Reads(reads, me); // what is stored is so whatever others have counted
          }
          if (known.writer() == me || living.get(known.writer()) != null) {
            return known;
          }
          if (known.writer() != 0) {
            return new Nodes.Reads(known.left(), me); // this member's, in an earlier session
          }
          return new Nodes.Reads(stored ? reads : Math.max(0, known.left() + reads), me);
        },
        MAXIMUM_TRIES);
  }

  /** One of the counted reads was made. */
  CompletableFuture<@Nullable Void> read(GroupAddress group) {
    Unfinished.Step step = new Unfinished.Step(group, false, List.of());
    unfinished.begin(step);
    return changeReads(
            group,
            known -> {
              if (known == null) {
                return new Nodes.Reads(-1, 0);
              }
              boolean counts =
                  known.left() != Report.STORED && (known.left() > 0 || known.writer() == 0);
              return counts ? new Nodes.Reads(known.left() - 1, known.writer()) : known;
            },
            MAXIMUM_TRIES)
        .thenCompose(done -> endIfFree(group))
        .thenAccept(done -> unfinished.end(step));
  }

  private CompletableFuture<@Nullable Void> changeReads(
      GroupAddress group, Function<Nodes.@Nullable Reads, Nodes.Reads> change, int tries) {
    if (tries == 0) {
      return tooOften(group);
    }
    String path = nodes.child(group, String.valueOf(Nodes.READS));
    return store
        .data(path)
        .thenCompose(
            data -> {
              Nodes.Reads known = data == null ? null : Nodes.Reads.of(path, data.bytes());
              Nodes.Reads changed = change.apply(known);
              if (data == null) {
                return makeReads(group, path, change, changed, tries);
              }
              return changed.equals(known)
                  ? Store.done()
                  : commit(Op.setData(path, changed.bytes(), data.stat().getVersion()))
                      .thenCompose(
                          outcome ->
                              outcome.isDone()
                                  ? Store.done()
                                  : changeReads(group, change, tries - 1));
            });
  }

  private CompletableFuture<@Nullable Void> makeReads(
      GroupAddress group,
      String path,
      Function<Nodes.@Nullable Reads, Nodes.Reads> change,
      Nodes.Reads first,
      int tries) {
    return commit(store.create(path, first.bytes()))
        .thenCompose(
            outcome -> {
              if (outcome.isDone()) {
                return Store.done();
              }
              if (outcome.code() == Code.NODEEXISTS) {
                return changeReads(group, change, tries - 1);
              }
              if (living.get(group.member()) == null) {
                return Store.done(); // it has ended
              }
              return commit(store.create(nodes.group(group)))
                  .thenCompose(made -> changeReads(group, change, tries - 1));
            });
  }

  /** Notes what a group refers to, which so lives as long as it does. */
  CompletableFuture<@Nullable Void> refer(Report.Dependency added) {
    List<GroupAddress> on = List.of(added.on());
    List<Op> lists = new ArrayList<>();
    for (int from = 0; from < on.size(); from += Nodes.MAXIMUM_REFERRED) {
      List<GroupAddress> some =
          on.subList(from, Math.min(on.size(), from + Nodes.MAXIMUM_REFERRED));
      String name = Nodes.REFERS + Integer.toString(from / Nodes.MAXIMUM_REFERRED);
      lists.add(store.create(nodes.child(added.group(), name), Nodes.bytes(some)));
    }
    return Store.each(lists, list -> commit(list))
        .thenCompose(
            done ->
                Store.each(
                    on,
                    each -> {
                      Child by = new Child(Nodes.referrer(added.group()));
                      return add(each, List.of(by), false);
                    }));
  }

  /** Holds a group no more. */
  CompletableFuture<@Nullable Void> release(GroupAddress group) {
    String holder = nodes.child(group, Nodes.holder(me));
    if (!isForOwner(group)) {
      return commit(
              Store.delete(holder),
              Store.delete(nodes.child(group, Nodes.host(host))),
              Store.delete(nodes.group(group)))
          .thenCompose(
              outcome -> {
                if (outcome.isDone()) {
                  unfinished.free(group);
                }
                return outcome.isDone() ? Store.done() : releaseOfMany(group, holder);
              });
    }
    return releaseOfMany(group, holder);
  }

  private CompletableFuture<@Nullable Void> releaseOfMany(GroupAddress group, String holder) {
    return commit(Store.delete(holder))
        .thenCompose(
            outcome ->
                outcome.isDone()
                    ? CompletableFuture.completedFuture(true)
                    : store.exists(nodes.group(group), null))
        .thenCompose(
            there -> {
              if (!there) {
                freeUnknown(group);
              }
              return there ? endIfFree(group) : Store.done();
            });
  }

  /** Whether the file of a group on this host is to be removed by another member of the host. */
  boolean isForOwner(GroupAddress group) {
    return group.member() != me && living.isOn(group.member(), host);
  }

  /** Ends a group that is free, and those that only it has referred to. */
  CompletableFuture<@Nullable Void> endIfFree(GroupAddress group) {
    return endIfFree(group, MAXIMUM_TRIES);
  }

  private CompletableFuture<@Nullable Void> endIfFree(GroupAddress group, int tries) {
    if (tries == 0) {
      return tooOften(group);
    }
    return store
        .children(nodes.group(group), null)
        .thenCompose(
            children -> {
              if (children == null || children.stream().anyMatch(Turn::keeps)) {
                if (children != null && isNowhere(group, children)) {
                  lost.add(group);
                }
                return Store.done();
              }
              return endIfRead(group, children, tries);
            });
  }

  /** Whether no host has the file of a group, and no member that may have fetched it. */
  boolean isNowhere(GroupAddress group, List<String> children) {
    return isFetchedOnly(group, children)
        && children.stream().noneMatch(child -> child.charAt(0) == Nodes.HOLDER);
  }

  /** Whether who holds a group is all that may have its file. */
  boolean isFetchedOnly(GroupAddress group, List<String> children) {
    return living.get(group.member()) == null
        && children.stream().noneMatch(child -> child.charAt(0) == Nodes.HOST);
  }

  /** Whether a child says that its group lives. */
  static boolean keeps(String child) {
    char kind = child.charAt(0);
    return kind == Nodes.HOLDER || kind == Nodes.KEY || kind == Nodes.REFERRER;
  }

  private CompletableFuture<@Nullable Void> endIfRead(
      GroupAddress group, List<String> children, int tries) {
    Ending ending = new Ending(this, group);
    return Store.each(children, ending::add)
        .thenCompose(known -> ending.mayEnd() ? end(ending.step(), ending, tries) : Store.done());
  }

  private CompletableFuture<@Nullable Void> end(Unfinished.Step step, Ending ending, int tries) {
    unfinished.begin(step);
    return ending
        .end()
        .thenCompose(over -> over ? hasEnded(step) : endIfFree(step.group(), tries - 1))
        .thenAccept(done -> unfinished.end(step));
  }

  private CompletableFuture<@Nullable Void> hasEnded(Unfinished.Step step) {
    if (step.isHere()) {
      unfinished.free(step.group());
    }
    return Store.each(step.referred(), each -> unrefer(step.group(), each));
  }

  /** Goes on with a step whose answer was lost. */
  CompletableFuture<@Nullable Void> goOn(Unfinished.Step step) {
    return store
        .exists(nodes.group(step.group()), null)
        .thenCompose(there -> there ? endIfFree(step.group()) : hasEnded(step))
        .thenAccept(done -> unfinished.end(step));
  }

  private CompletableFuture<@Nullable Void> unrefer(GroupAddress ended, GroupAddress group) {
    return store
        .commit(Store.delete(nodes.child(group, Nodes.referrer(ended))))
        .thenCompose(outcome -> endIfFree(group));
  }

  /** What is in a node that is there; the future has null if there is none any more. */
  CompletableFuture<@Nullable Data> data(GroupAddress group, String child) {
    return store.data(nodes.child(group, child));
  }
}
