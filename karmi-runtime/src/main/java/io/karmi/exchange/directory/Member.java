package io.karmi.exchange.directory;

import io.karmi.exchange.GroupAddress;
import java.util.Map;

/** What a directory asks a member when it has lost its memory, and tells it. Thread-safe. */
public interface Member {
  /** All that it holds, what is stored on its host, and all that these groups refer to. */
  Report everything();

  /** The keys that it has bound. */
  Map<String, Bound> bound();

  /**
   * No key is bound to these groups any more, as it is another group's now or was dropped: it is
   * not to be bound again.
   */
  void unbound(GroupAddress... groups);

  /**
   * These groups are stored no more, and are not to be reported so again.
   *
   * @return those of which that is so from now on, after a restart of the host as well
   */
  GroupAddress[] dropped(GroupAddress... groups);

  /**
   * What a member has bound a key to.
   *
   * @param order number of the binding: of two of one key, the higher one counts
   */
  record Bound(GroupAddress group, long order) {}
}
