package io.karmi.exchange.zookeeper;

import io.karmi.exchange.GroupAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What a member has begun and not brought to its end. It is kept here until it is done, as any
 * answer of ZooKeeper may be lost with the connection, and what was asked is done or not done then.
 * Thread-safe.
 */
final class Unfinished {
  /** Groups whose files on this host are to be removed; told with the next answer. */
  private final Queue<GroupAddress> free = new ConcurrentLinkedQueue<>();

  /** Groups that may end, or have ended. */
  private final Set<Step> steps = ConcurrentHashMap.newKeySet();

  /**
   * The end of a group, which may have come.
   *
   * @param isHere whether its file on this host goes with it
   * @param referred the groups that it referred to, which may end with it
   */
  record Step(GroupAddress group, boolean isHere, List<GroupAddress> referred) {}

  void free(GroupAddress group) {
    free.add(group);
  }

  List<GroupAddress> takeFree() {
    List<GroupAddress> taken = new ArrayList<>();
    for (GroupAddress each = free.poll(); each != null; each = free.poll()) {
      taken.add(each);
    }
    return taken;
  }

  void begin(Step step) {
    steps.add(step);
  }

  void end(Step step) {
    steps.remove(step);
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }
}
