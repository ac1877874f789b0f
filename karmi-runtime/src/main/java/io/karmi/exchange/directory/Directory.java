package io.karmi.exchange.directory;

import io.karmi.exchange.GroupAddress;
import io.karmi.messaging.Address;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a space, as one member sees it: which key is bound to which group, who holds a
 * group, and which groups refer to which. No object passes through it.
 *
 * <p>A directory that cannot be reached for a while is waited for, up to {@code karmi.keepAlive}.
 * Thread-safe.
 */
public interface Directory {
  /** The most members that are named, and asked, as sources of one group. */
  int MAXIMUM_SOURCES = 16;

  /** Time after which a member that has nothing to report gives a sign of life, in milliseconds. */
  long QUIET_MILLIS = 2_000;

  /** What the member was told when it joined last; changes when the directory has started anew. */
  Joined joined();

  /**
   * Begins to take part, before the first report.
   *
   * @param host random number of the directory of the host's files
   */
  void begin(Member member, long host) throws IOException;

  /** Reports changes; if that fails, what is left of them is to be reported again. */
  Report.Answer update(Repeated changes) throws IOException;

  /**
   * Reports changes, and binds a key to a group of this member.
   *
   * @throws io.karmi.exchange.KeyTakenException if the key is bound to another group and is not to
   *     be replaced; what was reported counts
   */
  Report.Answer bind(String key, GroupAddress group, boolean replace, Repeated changes)
      throws IOException;

  /**
   * The group that a key is bound to; waits until it is, up to {@code waitMillis} or less.
   *
   * @return null if it is not bound
   */
  @Nullable Found lookup(String key, long waitMillis) throws IOException, InterruptedException;

  /** Members that can send a group: one of each host that has its file, in any order. */
  Address[] holders(GroupAddress group) throws IOException;

  /** How many questions and reports have gone out, for the counters. */
  long calls();

  /**
   * Leaves the space with a last report; a directory that cannot be reached is not waited for.
   * Groups of this member that are bound to keys stay where other members are on their hosts.
   */
  Report.Answer leave(Report last) throws IOException;
}
