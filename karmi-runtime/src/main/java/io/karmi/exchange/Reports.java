package io.karmi.exchange;

import io.karmi.exchange.directory.Report;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What a member has not yet told the directory. A hold that ends before it is told is not told. */
final class Reports {
  /** The most groups that one report speaks of. */
  static final int MAXIMUM = 10_000;

  private static final GroupAddress[] NONE = {};

  /* All guarded by this. One that is told to the end is replaced: its table may be large. */
  private Map<GroupAddress, Integer> held = new LinkedHashMap<>();

  /** Groups of {@link #held} that are told in any case: others have been told of them. */
  private Set<GroupAddress> known = new HashSet<>();

  private Set<GroupAddress> released = new LinkedHashSet<>();
  private List<GroupAddress> read = new ArrayList<>();
  private Map<GroupAddress, GroupAddress[]> added = new LinkedHashMap<>();
  private Set<GroupAddress> files = new LinkedHashSet<>();

  /** Groups of which a report is under way: the next one must not arrive before it. */
  private final Set<GroupAddress> underWay = new HashSet<>();

  /** The first hold of a group has begun. */
  synchronized void held(GroupAddress group) {
    if (!released.remove(group)) {
      held.putIfAbsent(group, 0);
    }
  }

  /** A group is kept though no one holds it. */
  synchronized void kept(GroupAddress group, int reads) {
    held.put(group, reads);
  }

  /**
   * The last hold of a group has ended.
   *
   * @param own whether this member has put it; the directory is told of files of others in any case
   * @return false if the directory knows nothing of it, and is not to
   */
  synchronized boolean released(GroupAddress group, boolean own) {
    Integer reads = held.get(group);
    if (reads != null && reads == 0 && !known.contains(group)) {
      held.remove(group);
      added.remove(group);
      if (own) {
        files.remove(group);
      }
      return !own;
    }
    released.add(group);
    return true;
  }

  /** Others have been told of a group, or may have been. */
  synchronized void sent(GroupAddress group) {
    if (held.containsKey(group)) {
      known.add(group);
    }
  }

  /** A counted read was made. */
  synchronized void read(GroupAddress group) {
    read.add(group);
  }

  /** A group refers to others. */
  synchronized void added(GroupAddress group, GroupAddress... on) {
    for (GroupAddress each : on) {
      sent(each);
    }
    added.put(group, on);
  }

  /** The file of a group lies on this host. */
  synchronized void file(GroupAddress group) {
    files.add(group);
  }

  /** Whether nothing may be told now. */
  synchronized boolean isEmpty() {
    return read.isEmpty()
        && Stream.of(held.keySet(), released, added.keySet(), files)
            .allMatch(underWay::containsAll);
  }

  /**
   * Takes what is to be told, or a part of it: nothing of groups of which an earlier report is
   * under way, until {@link #arrived}.
   */
  synchronized Report take() {
    Map<GroupAddress, Integer> holds = new LinkedHashMap<>();
    take(held, holds);
    known.removeAll(holds.keySet());
    Map<GroupAddress, GroupAddress[]> refers = new LinkedHashMap<>();
    take(added, refers);
    Report taken =
        new Report(
            holds.keySet().toArray(NONE),
            holds.values().stream().mapToInt(Integer::intValue).toArray(),
            take(released),
            read.toArray(NONE),
            refers.entrySet().stream()
                .map(each -> new Report.Dependency(each.getKey(), each.getValue()))
                .toArray(Report.Dependency[]::new),
            take(files));
    forgetTables();
    groups(taken).forEach(underWay::add);
    return taken;
  }

  /** A report that was taken has arrived, or is not made any more. */
  synchronized void arrived(Report taken) {
    groups(taken).forEach(underWay::remove);
  }

  private static Stream<GroupAddress> groups(Report taken) {
    return Stream.of(
            Stream.of(taken.held()),
            Stream.of(taken.released()),
            Stream.of(taken.added()).map(Report.Dependency::group),
            Stream.of(taken.files()))
        .flatMap(each -> each);
  }

  private void forgetTables() {
    read = new ArrayList<>();
    held = held.isEmpty() ? new LinkedHashMap<>() : held;
    known = known.isEmpty() ? new HashSet<>() : known;
    released = released.isEmpty() ? new LinkedHashSet<>() : released;
    added = added.isEmpty() ? new LinkedHashMap<>() : added;
    files = files.isEmpty() ? new LinkedHashSet<>() : files;
  }

  private <V> void take(Map<GroupAddress, V> from, Map<GroupAddress, V> to) {
    var all = from.entrySet().iterator();
    while (all.hasNext() && to.size() < MAXIMUM) {
      Map.Entry<GroupAddress, V> each = all.next();
      if (!underWay.contains(each.getKey())) {
        to.put(each.getKey(), each.getValue());
        all.remove();
      }
    }
  }

  private GroupAddress[] take(Set<GroupAddress> from) {
    List<GroupAddress> to = new ArrayList<>();
    var all = from.iterator();
    while (all.hasNext() && to.size() < MAXIMUM) {
      GroupAddress each = all.next();
      if (!underWay.contains(each)) {
        to.add(each);
        all.remove();
      }
    }
    return to.toArray(NONE);
  }

  /**
   * Takes back a report that has arrived, or not, or in part. Of what has changed since, the newer
   * counts; but a group that is to be read lives though its hold has ended.
   */
  synchronized void takeBack(Report report) {
    Set<GroupAddress> releasedSince = Set.copyOf(released);
    for (GroupAddress each : report.released()) {
      (held.containsKey(each) ? known : released).add(each);
    }
    for (int i = 0; i < report.held().length; i++) {
      GroupAddress group = report.held()[i];
      int reads = report.reads()[i];
      if (reads != 0 || !releasedSince.contains(group)) {
        held.merge(group, reads, (since, before) -> since == 0 ? before : since);
        known.add(group);
      }
    }
    read.addAll(List.of(report.read()));
    for (Report.Dependency each : report.added()) {
      added.putIfAbsent(each.group(), each.on());
    }
    files.addAll(List.of(report.files()));
  }
}
