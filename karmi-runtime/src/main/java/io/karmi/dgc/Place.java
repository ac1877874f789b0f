package io.karmi.dgc;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Destination of messages about a reference: the node that it names, its addresses, and what was
 * found at these if the reference came from there.
 *
 * <p>Messages about a reference go to its place and nowhere else. References are made by others: a
 * forged one must not affect those to the node's other objects. Immutable.
 *
 * <p>The order keeps a table fast if senders make places with the same hash code. It ignores what
 * was found.
 */
public final class Place implements Comparable<Place> {
  private final NodeId node;
  private final TechnologyId[] ways;

  /** Null where calls go to the address that the reference names. */
  private final List<@Nullable Object> found;

  private Place(NodeId node, TechnologyId[] ways, List<@Nullable Object> found) {
    this.node = node;
    this.ways = ways;
    this.found = found;
  }

  /** The place of a reference that has just arrived. */
  public static Place of(ObjectId reference) {
    TechnologyId[] ways = new TechnologyId[reference.technologyCount()];
    @Nullable Object[] found = new @Nullable Object[ways.length];
    for (int i = 0; i < ways.length; i++) {
      ways[i] = reference.technology(i);
      found[i] = ways[i].found();
    }
    return new Place(reference.node(), ways, Arrays.asList(found));
  }

  /**
   * The same for messages that go over connections of this node's own only, never back over those
   * of others.
   */
  public static Place dialled(ObjectId reference) {
    TechnologyId[] ways = new TechnologyId[reference.technologyCount()];
    for (int i = 0; i < ways.length; i++) {
      ways[i] = reference.technology(i).dialled();
    }
    return of(new ObjectId(reference.node(), reference.number(), ways));
  }

  /** The node that the reference names. */
  public NodeId node() {
    return node;
  }

  /** The collector of that node. */
  public ObjectId target() {
    return new ObjectId(node, ObjectId.COLLECTOR, ways);
  }

  @Override
  public int compareTo(Place other) {
    int order = node.compareTo(other.node);
    if (order == 0) {
      order = Integer.compare(ways.length, other.ways.length);
    }
    for (int i = 0; order == 0 && i < ways.length; i++) {
      order = ways[i].technology().compareTo(other.ways[i].technology());
      if (order == 0) {
        order = ways[i].address().compareTo(other.ways[i].address());
      }
    }
    return order;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Place
        && node.equals(((Place) other).node)
        && Arrays.equals(ways, ((Place) other).ways)
        && found.equals(((Place) other).found);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * node.hashCode() + Arrays.hashCode(ways)) + found.hashCode();
  }
}
