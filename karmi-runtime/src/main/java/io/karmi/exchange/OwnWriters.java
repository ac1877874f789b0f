package io.karmi.exchange;

import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Joined;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The writers of the groups that this member puts: one for each number that it has had, as a
 * directory that starts anew gives another. The last one writes. Thread-safe.
 */
final class OwnWriters {
  private final HostDirectory files;
  private final Directory directory;
  private final List<GroupWriter> writers = new CopyOnWriteArrayList<>();

  /** What the last one was made for; guarded by this. */
  private @Nullable Joined written;

  OwnWriters(HostDirectory files, Directory directory) {
    this.files = files;
    this.directory = directory;
  }

  /** Writes under the number that this member has now. */
  synchronized GroupWriter current() throws IOException {
    Joined now = directory.joined();
    if (!now.equals(written)) {
      files.own(now.member(), now.generation());
      writers.add(new GroupWriter(files, now.space(), now.member(), now.generation()));
      written = now;
    }
    return writers.get(writers.size() - 1);
  }

  /** Whether this member has put a group. */
  boolean isOwn(GroupAddress group) {
    return writers.stream().anyMatch(each -> each.hasWritten(group));
  }

  /**
   * Removes a group from the pack that it is in, if it is in one of this member; whether it was.
   */
  boolean removePacked(GroupAddress group) throws IOException {
    boolean packed = false;
    for (GroupWriter each : writers) {
      packed |= each.removePacked(group);
    }
    return packed;
  }

  void tidy() throws IOException {
    for (GroupWriter each : writers) {
      each.tidy();
    }
  }

  void close() throws IOException {
    for (GroupWriter each : writers) {
      each.close();
    }
  }
}
