package io.karmi.exchange.pull;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.GroupLostException;
import io.karmi.exchange.directory.Directory;
import io.karmi.messaging.Address;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Those who may be asked for one group, in their order, and why others are not asked any more.
 * Belongs to one thread.
 */
final class Holders {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");

  private final GroupAddress group;
  private final Directory directory;
  private final Address self;

  /** Those that may be asked, those that were not asked yet first. */
  private final Deque<Address> next = new ArrayDeque<>();

  private final Set<Address> known = new HashSet<>();

  /** Those whose connection was lost, or could not be made, since they have given a piece. */
  private final Set<Address> lost = new HashSet<>();

  private final List<String> failures = new ArrayList<>();

  private long secret;
  private boolean mayAskDirectory = true;

  /** Whether the directory has not said yet who has the group. */
  private boolean isGuess;

  /**
   * @param holders null if the directory is to be asked for them
   * @param likely who is asked before the directory is, unless holders are known; null for none
   * @param self this member, which is not asked
   */
  Holders(
      GroupAddress group,
      Address @Nullable [] holders,
      @Nullable Address likely,
      Directory directory,
      Address self)
      throws IOException {
    this.group = group;
    this.directory = directory;
    this.self = self;
    secret = directory.joined().secret();
    isGuess = holders == null && likely != null;
    if (holders == null && likely != null) {
      add(likely);
    } else {
      add(holders == null ? directory.holders(group) : holders);
    }
  }

  private void add(Address... holders) {
    for (Address each : holders) {
      if (known.size() < Directory.MAXIMUM_SOURCES && !each.equals(self) && known.add(each)) {
        next.add(each);
      }
    }
  }

  boolean areLeft() {
    return !next.isEmpty();
  }

  /** The next one of those that are known; null for none. */
  @Nullable Address nextKnown() {
    return next.poll();
  }

  /**
   * The next one; null for none.
   *
   * @param moreWanted whether the directory is asked for those who have come meanwhile, once; it is
   *     asked in any case if it was not yet
   */
  @Nullable Address next(boolean moreWanted) throws IOException {
    if (next.isEmpty() && (moreWanted || isGuess) && mayAskDirectory) {
      mayAskDirectory = isGuess;
      isGuess = false;
      Address[] now = directory.holders(group);
      if (secret != directory.joined().secret()) {
        known.clear(); // they may have known the new one only
      }
      add(now);
    }
    return next.poll();
  }

  /** The same where a directory that does not answer ends nothing. */
  @Nullable Address nextIfAny(boolean moreWanted) throws InterruptedIOException {
    try {
      return next(moreWanted);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "no more holders of group " + group + " are known", e);
      return null;
    }
  }

  void addFirst(Address holder) {
    next.remove(holder);
    next.addFirst(holder);
  }

  void addLast(Address holder) {
    next.add(holder);
  }

  void addLast(Collection<Address> holders) {
    next.addAll(holders);
  }

  /** A holder is not asked any more. */
  void fails(Address holder, String reason) {
    next.remove(holder);
    failures.add(holder + ": " + reason);
  }

  /** No one that is left is asked any more. */
  void allFail(String reason) {
    List.copyOf(next).forEach(each -> fails(each, reason));
  }

  /** Why no one gives the group. */
  GroupLostException failure() {
    return new GroupLostException(group, failures);
  }

  /** Whether a connection is lost for the first time since its holder has given a piece. */
  boolean isLostFirst(Address holder) {
    return lost.add(holder);
  }

  void hasGiven(Address holder) {
    lost.remove(holder);
  }
}
