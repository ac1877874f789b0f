package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * What a space has, in lines for operators. A long list is made now and then only: everyone may ask
 * for it. Guarded by the table.
 */
final class TableList {
  /** The most lines of a list, and the most characters of its keys. */
  private static final int MAXIMUM_LINES = 10_000;

  private static final int MAXIMUM_LIST = 4 << 20;

  /** A list is made anew when as many times the time has passed that it took. */
  private static final int PAUSE = 8;

  private final Keys keys;
  private final Groups groups;

  private List<String> listed = List.of();
  private long listAgainNanos = System.nanoTime();

  TableList(Keys keys, Groups groups) {
    this.keys = keys;
    this.groups = groups;
  }

  /** Keys first, then stored groups and those with counted reads. */
  List<String> lines(int lineCount) {
    long begin = System.nanoTime();
    if (begin - listAgainNanos >= 0) {
      listed = newList();
      long end = System.nanoTime();
      listAgainNanos = end + PAUSE * (end - begin);
    }
    return listed.subList(0, Math.max(0, Math.min(lineCount, listed.size())));
  }

  private List<String> newList() {
    List<String> lines = new ArrayList<>();
    long room = MAXIMUM_LIST;
    Iterator<Map.Entry<String, Keys.Key>> ofKeys = keys.all().entrySet().iterator();
    while (room > 0 && lines.size() < MAXIMUM_LINES && ofKeys.hasNext()) {
      Map.Entry<String, Keys.Key> each = ofKeys.next();
      lines.add(each.getKey() + "  " + describe(each.getValue().group()));
      room -= each.getKey().length();
    }
    Iterator<Map.Entry<GroupAddress, GroupEntry>> ofGroups = groups.all().iterator();
    while (room > 0 && lines.size() < MAXIMUM_LINES && ofGroups.hasNext()) {
      Map.Entry<GroupAddress, GroupEntry> each = ofGroups.next();
      if (each.getValue().reads > 0) {
        lines.add(describe(each.getKey()));
      }
    }
    return List.copyOf(lines);
  }

  private String describe(GroupAddress group) {
    GroupEntry entry = groups.find(group);
    return group + (entry == null ? "  lost" : entry.toString());
  }
}
