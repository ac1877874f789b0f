package io.karmi.exchange;

import io.karmi.exchange.record.GroupInput;
import io.karmi.exchange.record.GroupOutput;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.util.ConcurrentModificationException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The objects that this JVM makes of the groups of a space. Thread-safe. */
final class GroupObjects {
  private static final boolean CHECKING = Settings.EXCHANGE_CHECK.isOn();

  private final Fetcher fetcher;
  private final SharedObjects shared;
  private final LongSupplier space;
  private final Consumer<GroupAddress[]> whenFetched;

  /**
   * Objects of a space.
   *
   * @param space number of the space
   * @param whenFetched is told what a group that was fetched refers to
   */
  GroupObjects(
      Fetcher fetcher,
      SharedObjects shared,
      LongSupplier space,
      Consumer<GroupAddress[]> whenFetched) {
    this.fetcher = fetcher;
    this.shared = shared;
    this.space = space;
    this.whenFetched = whenFetched;
  }

  /** Objects of a caller's own. */
  @Nullable Object copy(OpenGroup group) throws IOException {
    return read(group, new Reading(this, false)).root();
  }

  /** The objects that all callers share. */
  @Nullable Object object(OpenGroup group) throws IOException {
    synchronized (group) {
      OpenGroup.Made made = group.made;
      if (made == null) {
        made = made(group, new Reading(this, shared.areEnabled()));
      } else if (CHECKING && hash(made.root()) != group.hash) {
        throw new ConcurrentModificationException(
            "the shared objects of group " + group.address + " were changed: use copy()");
      }
      return made.root();
    }
  }

  /** Makes the shared objects of a group whose bytes are in memory. */
  void make(OpenGroup group, GroupInput in) throws IOException {
    synchronized (group) {
      make(group, new Reading(this, shared.areEnabled()).read(in));
    }
  }

  private OpenGroup.Made make(OpenGroup group, OpenGroup.Made read) throws IOException {
    OpenGroup.Made made = group.make(read, CHECKING ? hash(read.root()) : 0);
    if (made == read) {
      shared.add(group, made.objects());
    }
    return made;
  }

  /** The shared objects, which are made within a reading if they are not there. */
  OpenGroup.Made made(OpenGroup group, Reading reading) throws IOException {
    OpenGroup.Made made = group.made;
    return made == null ? make(group, read(group, reading)) : made;
  }

  /** Makes objects of a group within a reading. */
  OpenGroup.Made read(OpenGroup group, Reading reading) throws IOException {
    GroupInput in = fetcher.open(group.address, null, whenFetched);
    fetcher.forget(group.address);
    return reading.read(in);
  }

  /** Check sum of the marshalled form. */
  private int hash(@Nullable Object root) throws IOException {
    GroupOutput out = new GroupOutput(bytes -> {});
    RootOutput stream = new RootOutput(out, space.getAsLong(), null);
    stream.writeObject(root);
    stream.flush();
    return (int) out.crc().getValue();
  }
}
