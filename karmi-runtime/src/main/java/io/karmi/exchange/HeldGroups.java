package io.karmi.exchange;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The groups that this JVM holds, and those that it holds for others. Thread-safe. */
final class HeldGroups {
  /** Time for which a member holds what it has sent to others, as leases of stubs under way do. */
  private static final long SENT_NANOS = 60_000_000_000L;

  private final Map<GroupAddress, OpenGroup> open = new ConcurrentHashMap<>();

  /**
   * Groups that are held for those they were sent to, and until when, the first to end first;
   * guarded by itself.
   */
  private final Map<OpenGroup, Long> sent = new LinkedHashMap<>();

  /**
   * Own groups whose file was here when their last hold ended, and whose end the directory has not
   * told. Others may name groups that never were: these are not noted.
   */
  private final Set<GroupAddress> lent = ConcurrentHashMap.newKeySet();

  private final Reports reports;
  private final Consumer<GroupAddress> remove;
  private final Predicate<GroupAddress> isOwn;
  private final Consumer<OpenGroup> ended;

  /**
   * @param reports told of holds
   * @param remove removes the file of a group of which the directory knows nothing
   * @param isOwn whether this member has put a group; files of others are theirs to remove
   * @param ended told of a group that is not held any more
   */
  HeldGroups(
      Reports reports,
      Consumer<GroupAddress> remove,
      Predicate<GroupAddress> isOwn,
      Consumer<OpenGroup> ended) {
    this.reports = reports;
    this.remove = remove;
    this.isOwn = isOwn;
    this.ended = ended;
  }

  int size() {
    return open.size();
  }

  boolean contains(GroupAddress group) {
    return open.containsKey(group);
  }

  @Nullable OpenGroup get(GroupAddress group) {
    return open.get(group);
  }

  Set<GroupAddress> names() {
    return open.keySet();
  }

  Collection<OpenGroup> all() {
    return open.values();
  }

  /** The groups that are held, of which the directory is told now; so their end is told as well. */
  List<GroupAddress> told() {
    List<GroupAddress> told = new ArrayList<>();
    for (GroupAddress each : open.keySet()) {
      open.computeIfPresent(
          each,
          (name, known) -> {
            reports.sent(name);
            told.add(name);
            return known;
          });
    }
    return told;
  }

  /** Own groups that others may hold, whether this member holds them again or not. */
  Set<GroupAddress> lent() {
    return lent;
  }

  /** One hold more; of a group that was just put, which only this member knows, the first one. */
  OpenGroup acquire(GroupAddress address) {
    return open.compute(
        address,
        (name, known) -> {
          OpenGroup counted = known == null ? new OpenGroup(name) : known;
          if (counted.holds++ == 0) {
            reports.held(name);
          }
          return counted;
        });
  }

  /**
   * One hold more of a group that has an address: the directory may know it though it was not held
   * here, as a key is bound to it or it is stored.
   */
  OpenGroup acquireNamed(GroupAddress address) {
    OpenGroup group = acquire(address);
    if (isOwn.test(address)) {
      reports.sent(address);
    }
    return group;
  }

  /** One hold more of a group, unless it has ended; returns whether it has not. */
  boolean acquireAgain(OpenGroup group) {
    OpenGroup held =
        open.computeIfPresent(
            group.address,
            (name, known) -> {
              known.holds += known == group ? 1 : 0;
              return known;
            });
    return held == group;
  }

  /** One hold less. An own group of which the directory has not been told is removed at once. */
  void release(OpenGroup group) {
    open.computeIfPresent(
        group.address,
        (name, known) -> {
          if (--known.holds > 0) {
            return known;
          }
          if (hasEnded(name) && known.lengthBytes > 0 && isOwn.test(name)) {
            lent.add(name);
          }
          ended.accept(known);
          return null;
        });
  }

  /** Returns whether the directory will say when the group's file is to be removed. */
  private boolean hasEnded(GroupAddress group) {
    boolean told = reports.released(group, isOwn.test(group));
    if (!told) {
      lent.remove(group);
      remove.accept(group);
    }
    return told;
  }

  /** Ends all holds of a group. */
  void leave(GroupAddress group) {
    hasEnded(group);
    open.remove(group);
  }

  /** The directory says that no one holds a group. */
  void end(GroupAddress group) {
    open.compute(
        group,
        (name, known) -> {
          if (known == null) {
            lent.remove(name);
            remove.accept(name);
          } else {
            reports.held(name); // again, since the directory was told of the end
          }
          return known;
        });
  }

  /** Holds a group that is sent to another JVM until that one's hold counts. */
  void isSent(OpenGroup group) {
    open.computeIfPresent(
        group.address,
        (name, known) -> {
          reports.sent(name);
          if (!isSentAgain(known)) {
            known.holds++;
          }
          return known;
        });
  }

  private boolean isSentAgain(OpenGroup group) {
    synchronized (sent) {
      Long before = sent.remove(group);
      sent.put(group, System.nanoTime() + SENT_NANOS);
      return before != null;
    }
  }

  /** Gives up what was held for others for long enough. */
  void endSent() {
    OpenGroup over = nextOver();
    while (over != null) {
      release(over);
      over = nextOver();
    }
  }

  /** Takes out one that was held for others for long enough; null if there is none. */
  private @Nullable OpenGroup nextOver() {
    synchronized (sent) {
      var all = sent.entrySet().iterator();
      if (!all.hasNext()) {
        return null;
      }
      Map.Entry<OpenGroup, Long> first = all.next();
      if (first.getValue() - System.nanoTime() > 0) {
        return null;
      }
      all.remove();
      return first.getKey();
    }
  }
}
