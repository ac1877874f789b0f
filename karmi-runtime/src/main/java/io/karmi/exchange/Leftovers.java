package io.karmi.exchange;

import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Repeated;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.record.GroupHeader;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Files whose owners do not live on this host: those that killed members have left, and those that
 * were fetched; and files of this member's own groups that it does not hold. The directory says
 * which of them are of no use to anyone; others it gives to those who ask. Thread-safe.
 */
final class Leftovers {
  private static final System.Logger LOG = System.getLogger("io.karmi.exchange");
  private static final GroupAddress[] NONE = {};

  private final HostDirectory files;
  private final Directory directory;
  private final HeldGroups open;

  /* What the last answer has said. */
  private volatile int departed;
  private volatile @Nullable Joined joined;

  /** Whether the files are to be looked through. */
  private volatile boolean due;

  Leftovers(HostDirectory files, Directory directory, HeldGroups open) {
    this.files = files;
    this.directory = directory;
    this.open = open;
  }

  /**
   * The directory has answered: after the end of a member of this host, and where the directory has
   * started anew, the files are to be looked through.
   */
  void answered(int departedNow) {
    Joined now = directory.joined();
    if (departedNow != departed || !now.equals(joined)) {
      due = true;
    }
    departed = departedNow;
    joined = now;
  }

  /** Whether the files are to be looked through, or could not be when they were. */
  boolean areDue() {
    return due;
  }

  /**
   * Whether the file of another member's group that has ended may be removed: not while that member
   * lives, which may hold the group under another number. If it is about to end, the file is found
   * soon; as what else is in a pack is.
   */
  boolean mayRemove(GroupAddress group) throws IOException {
    boolean ownerLives = files.isOwnerHere(group);
    if (Pack.isPacked(group) ? !ownerLives && files.file(group).toFile().exists() : ownerLives) {
      due = true;
    }
    return !ownerLives;
  }

  /** Stored groups of this host whose owners do not live here: those tell of their own. */
  List<GroupAddress> stored() {
    List<GroupAddress> stored = new ArrayList<>();
    try {
      for (GroupAddress each : files.stored()) {
        if (!files.isOwnerHere(each)) {
          stored.add(each);
        }
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "what is stored cannot be listed", e);
    }
    return stored;
  }

  /** Reports them, and removes those of no use. */
  synchronized void remove() throws IOException {
    due = false;
    joined = directory.joined();
    try {
      look();
    } catch (IOException | RuntimeException e) {
      due = true;
      throw e;
    }
  }

  private void look() throws IOException {
    files.removeUnfinished();
    List<GroupAddress> single = new ArrayList<>(open.lent());
    for (GroupAddress each : files.dropped()) {
      if (!files.isOwnerHere(each)) {
        single.add(each);
      }
    }
    for (String name : files.names()) {
      GroupAddress first = parse(name.replace(Pack.SUFFIX, ""));
      if (first != null && !files.isOwnerHere(first)) {
        if (name.endsWith(Pack.SUFFIX)) {
          removePack(files.path.resolve(name), first);
        } else {
          single.add(first);
        }
      }
    }
    for (GroupAddress each : useless(single)) {
      open.end(each);
    }
  }

  /** The group that a file is named after; null for a name that is not one of ours. */
  static @Nullable GroupAddress parse(String name) {
    try {
      return GroupAddress.parse(name);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private void removePack(Path pack, GroupAddress first) throws IOException {
    List<GroupAddress> groups = groupsOf(pack, first);
    if (useless(groups).containsAll(groups)) {
      Files.deleteIfExists(pack);
    }
  }

  /** The groups in a pack, as far as it is whole. */
  private List<GroupAddress> groupsOf(Path pack, GroupAddress first) throws IOException {
    List<GroupAddress> groups = new ArrayList<>();
    try {
      if (!files.isOwn(pack)) {
        return groups; // no member has written it
      }
    } catch (NoSuchFileException e) {
      return groups;
    }
    try (FileChannel from =
        FileChannel.open(pack, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long end = Math.min(from.size(), Pack.MAXIMUM_BYTES);
      for (long at = 0; at < end; at = from.position()) {
        GroupHeader header = GroupHeader.read(from);
        GroupAddress named =
            new GroupAddress(first.member(), first.sequence() + at, first.generation());
        groups.add(header.checked(header.space(), named).address());
        if (header.recordBytes() > from.size() - at) {
          return groups; // it is cut off
        }
        from.position(at + header.recordBytes());
      }
    } catch (NoSuchFileException | EOFException | StreamCorruptedException e) {
      return groups; // what is behind was never whole
    }
    return groups;
  }

  private Set<GroupAddress> useless(List<GroupAddress> groups) throws IOException {
    Set<GroupAddress> useless = new HashSet<>();
    for (int from = 0; from < groups.size(); from += Reports.MAXIMUM) {
      int to = Math.min(groups.size(), from + Reports.MAXIMUM);
      Report found =
          new Report(
              NONE,
              new int[0],
              NONE,
              NONE,
              new Report.Dependency[0],
              groups.subList(from, to).toArray(NONE));
      useless.addAll(Arrays.asList(directory.update(new Repeated(found)).free()));
    }
    useless.removeIf(open::contains);
    useless.retainAll(new HashSet<>(groups));
    return useless;
  }
}
