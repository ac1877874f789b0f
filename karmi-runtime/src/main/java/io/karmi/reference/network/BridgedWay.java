package io.karmi.reference.network;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A way to an object that leads through another node, which forwards its calls: the name of the
 * forwarding object there, as the address of a UTID.
 *
 * <pre>
 *   bridge 0f…e1/89ab0123cdef4567;tcp=10.0.0.7:4711;uds=….sock
 *          node  number           ways to that node
 * </pre>
 *
 * <p>In the text of a way {@code %}, {@code ;} and {@code =} are written as {@code %25}, {@code
 * %3B} and {@code %3D}.
 */
public final class BridgedWay {
  /** In place of the name of a technology. */
  static final String NAME = "bridge";

  private static final int MAXIMUM_WAYS = 16;
  private static final int MAXIMUM_CHARACTERS = 4096;
  private static final int HALF_NODE = 16;
  private static final int NODE = 2 * HALF_NODE;

  private BridgedWay() {}

  /** The way to an object; null if it would be longer than a UTID may be. */
  public static @Nullable TechnologyId to(ObjectId forwarder) {
    StringBuilder text = new StringBuilder(forwarder.node().toString());
    text.append('/').append(Long.toHexString(forwarder.number()));
    for (int i = 0; i < forwarder.technologyCount(); i++) {
      TechnologyId way = forwarder.technology(i);
      text.append(';').append(escaped(way.technology()));
      text.append('=').append(escaped(way.address()));
    }
    return text.length() > MAXIMUM_CHARACTERS ? null : new TechnologyId(NAME, text.toString());
  }

  private static String escaped(String text) {
    return text.replace("%", "%25").replace(";", "%3B").replace("=", "%3D");
  }

  private static String unescaped(String text) {
    return text.replace("%3D", "=").replace("%3B", ";").replace("%25", "%");
  }

  /**
   * The forwarding object that a way leads to; null for another way, or one that makes no sense.
   */
  public static @Nullable ObjectId forwarder(TechnologyId way) {
    if (!way.technology().equals(NAME)) {
      return null;
    }
    String[] parts = way.address().split(";", -1);
    int slash = parts[0].indexOf('/');
    if (slash != NODE || parts.length < 2 || parts.length > MAXIMUM_WAYS + 1) {
      return null;
    }
    try {
      NodeId node =
          NodeId.of(
              Long.parseUnsignedLong(parts[0].substring(0, HALF_NODE), 16),
              Long.parseUnsignedLong(parts[0].substring(HALF_NODE, NODE), 16));
      long number = Long.parseUnsignedLong(parts[0].substring(NODE + 1), 16);
      TechnologyId[] ways = ways(parts);
      if (ways == null || node == NodeId.UNKNOWN || ObjectId.isWellKnown(number)) {
        return null;
      }
      return new ObjectId(node, number, ways);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static TechnologyId @Nullable [] ways(String[] parts) {
    List<TechnologyId> ways = new ArrayList<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      String technology = equals < 0 ? NAME : unescaped(parts[i].substring(0, equals));
      if (technology.equals(NAME)) {
        return null; // ways through two bridges are made by objects of both, not by their names
      }
      ways.add(new TechnologyId(technology, unescaped(parts[i].substring(equals + 1))));
    }
    return ways.toArray(new TechnologyId[0]);
  }
}
