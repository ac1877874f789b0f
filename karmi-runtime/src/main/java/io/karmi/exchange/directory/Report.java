package io.karmi.exchange.directory;

import io.karmi.exchange.GroupAddress;
import java.io.Serializable;
import java.util.Objects;

/**
 * What has changed at a member since its last report. To say a thing twice changes nothing.
 *
 * @param held groups that it holds from now on
 * @param reads for each of these, how many reads keep it though no member holds it; 0 for none
 * @param released groups that it holds no more
 * @param read groups of which it has made one of the counted reads
 * @param added what its groups refer to
 * @param files groups whose files its host has
 */
public record Report(
    GroupAddress[] held,
    int[] reads,
    GroupAddress[] released,
    GroupAddress[] read,
    Dependency[] added,
    GroupAddress[] files)
    implements Serializable {
  private static final GroupAddress[] NONE = {};

  /** What has been sent may lack anything: that is no report. */
  public Report {
    Parts.present(held, "held");
    Parts.present(released, "released");
    Parts.present(read, "read");
    Parts.present(added, "added");
    Parts.present(files, "files");
    if (held.length != reads.length) {
      throw new IllegalArgumentException(held.length + " holds, and reads of " + reads.length);
    }
  }

  /** The same, of which the reads count already. */
  Report withoutReads() {
    return new Report(held, reads, released, NONE, added, files);
  }

  /** Of {@code reads}: the group is stored, and kept until it is dropped. */
  public static final int STORED = Integer.MAX_VALUE;

  /** A report that says nothing: a sign of life. */
  public static final Report EMPTY =
      new Report(NONE, new int[0], NONE, NONE, new Dependency[0], NONE);

  /**
   * Groups that a group refers to.
   *
   * @param group that refers
   * @param on the groups that live as long as it does
   */
  public record Dependency(GroupAddress group, GroupAddress[] on) implements Serializable {
    /** Checks that both are there. */
    public Dependency {
      Objects.requireNonNull(group, "group");
      Parts.present(on, "on");
    }
  }

  /**
   * The answer to a report.
   *
   * @param free groups of which no one holds any: their files on this host are to be removed
   * @param unbound groups of this member whose keys are others' now, or were dropped: it is not to
   *     bind them again when the directory has lost its memory
   * @param dropped groups that are stored no more, though they may be held: told until the host has
   *     heard of it
   * @param droppedKeys keys that were dropped, any member's, which it is to tell the next directory
   * @param departed how many members of this host have ended since the directory's start, and how
   *     many answers to this one were lost: when it changes, the host's files are to be looked
   *     through
   * @param order number of the binding, if a key was bound
   */
  public record Answer(
      GroupAddress[] free,
      GroupAddress[] unbound,
      GroupAddress[] dropped,
      DroppedKey[] droppedKeys,
      int departed,
      long order)
      implements Serializable {
    /** Checks that the groups are there. */
    public Answer {
      Parts.present(free, "free");
      Parts.present(unbound, "unbound");
      Parts.present(dropped, "dropped");
      Parts.present(droppedKeys, "droppedKeys");
    }

    /** Whether it is told again until the directory knows that it has come. */
    public boolean isToBeHeard() {
      return unbound.length + dropped.length + droppedKeys.length > 0;
    }

    /** Number of the last dropped key; 0 for none. */
    public int lastDroppedKey() {
      return droppedKeys.length == 0 ? 0 : droppedKeys[droppedKeys.length - 1].number();
    }

    /** Nothing was unbound or dropped. */
    public Answer(GroupAddress[] free, int departed, long order) {
      this(free, NONE, NONE, new DroppedKey[0], departed, order);
    }
  }
}
