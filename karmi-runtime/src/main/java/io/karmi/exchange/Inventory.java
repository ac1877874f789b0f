package io.karmi.exchange;

import io.karmi.exchange.directory.Report;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that a member has, as it is told to a directory that starts anew. Thread-safe. */
final class Inventory {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");
  private static final GroupAddress[] NONE = {};

  private final HostDirectory files;
  private final Fetcher fetcher;
  private final HeldGroups open;
  private final Leftovers leftovers;

  Inventory(HostDirectory files, Fetcher fetcher, HeldGroups open, Leftovers leftovers) {
    this.files = files;
    this.fetcher = fetcher;
    this.open = open;
    this.leftovers = leftovers;
  }

  /**
   * The report of everything.
   *
   * @param kept own groups that live without a hold, with their reads
   */
  Report report(Map<GroupAddress, Integer> kept) {
    Map<GroupAddress, Integer> held = new HashMap<>(kept);
    held.entrySet()
        .removeIf(each -> each.getValue() == Report.STORED && !files.isStored(each.getKey()));
    leftovers.stored().forEach(each -> held.put(each, Report.STORED));
    open.told().forEach(each -> held.putIfAbsent(each, 0));
    List<GroupAddress> order = List.copyOf(held.keySet());
    Set<GroupAddress> here = new LinkedHashSet<>(order);
    here.addAll(open.lent());
    here.removeIf(each -> !isHere(each));
    return new Report(
        order.toArray(NONE),
        order.stream().mapToInt(held::get).toArray(),
        order.stream().filter(each -> !open.contains(each)).toArray(GroupAddress[]::new),
        NONE,
        open.all().stream()
            .filter(each -> each.refers)
            .map(each -> dependency(each.address))
            .filter(Objects::nonNull)
            .toArray(Report.Dependency[]::new),
        here.toArray(NONE));
  }

  /** Whether the file of a group is on this host. */
  boolean isHere(GroupAddress group) {
    try {
      return files.has(group);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "no member has written it", e);
      return false;
    }
  }

  private Report.@Nullable Dependency dependency(GroupAddress group) {
    try {
      GroupAddress[] on = fetcher.dependencies(group);
      return on == null ? null : new Report.Dependency(group, on);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "what group " + group + " refers to cannot be read", e);
      return null;
    }
  }
}
