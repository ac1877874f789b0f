package io.karmi.exchange.directory;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.directory.Report.Dependency;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A member of a space that has no files: what it says of them is made up. */
public final class FakeMember implements Member {
  private static final GroupAddress[] NONE = {};

  public final Directory directory;

  /** What it holds, for a directory that asks. */
  public final Map<GroupAddress, Integer> held = new LinkedHashMap<>();

  private final Map<String, Bound> bound = new ConcurrentHashMap<>();
  private final Set<GroupAddress> told = new LinkedHashSet<>();

  FakeMember(Directory directory, long host) throws Exception {
    this.directory = directory;
    directory.begin(this, host);
  }

  /** A group that it has put. */
  public GroupAddress group(long sequence) {
    Joined joined = directory.joined();
    return new GroupAddress(joined.member(), sequence, joined.generation());
  }

  static Report report(GroupAddress[] held, int reads, GroupAddress[] released) {
    int[] each = new int[held.length];
    Arrays.fill(each, reads);
    return new Report(held, each, released, NONE, new Dependency[0], held);
  }

  /** Reports, and notes the answer. */
  public GroupAddress[] tell(Report report) throws Exception {
    GroupAddress[] free = directory.update(new Repeated(report)).free();
    synchronized (told) {
      told.addAll(Arrays.asList(free));
    }
    return free;
  }

  public GroupAddress[] hold(GroupAddress... groups) throws Exception {
    for (GroupAddress each : groups) {
      held.put(each, 0);
    }
    return tell(report(groups, 0, NONE));
  }

  GroupAddress[] keep(int reads, GroupAddress... groups) throws Exception {
    return tell(report(groups, reads, groups));
  }

  public GroupAddress[] release(GroupAddress... groups) throws Exception {
    held.keySet().removeAll(Arrays.asList(groups));
    return tell(report(NONE, 0, groups));
  }

  GroupAddress[] read(GroupAddress... groups) throws Exception {
    return tell(new Report(NONE, new int[0], NONE, groups, new Dependency[0], NONE));
  }

  public GroupAddress[] files(GroupAddress... groups) throws Exception {
    return tell(new Report(NONE, new int[0], NONE, NONE, new Dependency[0], groups));
  }

  public void refer(GroupAddress group, GroupAddress... on) throws Exception {
    Dependency[] added = {new Dependency(group, on)};
    tell(new Report(NONE, new int[0], NONE, NONE, added, NONE));
  }

  /** Binds a key to a group that it holds. */
  public void bind(String key, GroupAddress group, boolean replace) throws Exception {
    GroupAddress[] one = {group};
    held.put(group, 0);
    Report.Answer answer = directory.bind(key, group, replace, new Repeated(report(one, 0, NONE)));
    bound.put(key, new Bound(group, answer.order()));
  }

  /** Gives signs of life; returns whether it was told to remove the files of a group. */
  public boolean isToldOf(GroupAddress group) throws Exception {
    tell(Report.EMPTY);
    synchronized (told) {
      return told.contains(group);
    }
  }

  @Override
  public Report everything() {
    GroupAddress[] all = held.keySet().toArray(NONE);
    return report(all, 0, NONE);
  }

  @Override
  public Map<String, Bound> bound() {
    return bound;
  }

  @Override
  public GroupAddress[] dropped(GroupAddress... groups) {
    return groups;
  }

  @Override
  public void unbound(GroupAddress... groups) {
    bound.values().removeIf(each -> Arrays.asList(groups).contains(each.group()));
  }
}
