package io.karmi.exchange;

import io.karmi.exchange.record.GroupInput;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reading of a group, and of those whose objects are in it, one within the other. It waits for
 * no other reading, so two groups that claim to be in each other are refused. Belongs to one
 * thread.
 */
final class Reading implements RootInput.Others {
  /** Upper bound of the groups that are read within each other. */
  private static final int MAXIMUM_NESTED = 64;

  private final GroupObjects objects;
  private final boolean sharing;
  private final Set<GroupAddress> nested = new LinkedHashSet<>();
  private final Map<GroupAddress, @Nullable Object[]> known = new HashMap<>();

  /**
   * @param sharing whether objects of other groups are those that this JVM has of them; else they
   *     are made for this group
   */
  Reading(GroupObjects objects, boolean sharing) {
    this.objects = objects;
    this.sharing = sharing;
  }

  /** Makes the objects of a group. */
  OpenGroup.Made read(GroupInput from) throws IOException {
    GroupAddress group = from.header().address();
    if (!nested.add(group) || nested.size() > MAXIMUM_NESTED) {
      from.close();
      throw new InvalidObjectException(
          "groups whose objects are in each other, in a circle or more than "
              + MAXIMUM_NESTED
              + " deep: "
              + nested
              + ", "
              + group);
    }
    try {
      return RootInput.read(from, this, sharing || nested.size() > 1);
    } finally {
      nested.remove(group);
    }
  }

  @Override
  public Object object(@Nullable Object of, int number) throws IOException {
    if (!(of instanceof Group<?> group)) {
      throw new InvalidObjectException("an object of no group");
    }
    @Nullable Object[] those = known.get(group.address());
    if (those == null) {
      OpenGroup other = group.opened();
      those = (sharing ? objects.made(other, this) : objects.read(other, this)).objects();
      known.put(group.address(), those);
    }
    Object object = number < 0 || number >= those.length ? null : those[number];
    if (object == null) {
      throw new InvalidObjectException(
          "object " + number + " of group " + group.address() + ", which has " + those.length);
    }
    return object;
  }
}
