package io.karmi.reference;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.technology.ThrownByCallee;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Client that asks other nodes whether they answer, and by which ways they are reached.
 * Thread-safe.
 */
public final class Probe {
  private final Node node;

  /** A client that asks on behalf of a node. */
  public Probe(Node node) {
    this.node = node;
  }

  /**
   * The way to a port; nothing is contacted.
   *
   * @throws IOException if this node has no technology with ports
   */
  public TechnologyId locate(String host, int port) throws IOException {
    ObjectId target = node.locate(host, port, ObjectId.INSPECTION).id();
    node.requireWay(target);
    return target.technology(0);
  }

  /**
   * Makes a call that does nothing, by this way only.
   *
   * @throws IOException if no node answers
   */
  public void ping(TechnologyId way) throws IOException {
    ObjectId target = new ObjectId(NodeId.UNKNOWN, ObjectId.INSPECTION, way);
    try {
      node.route(target).voidApplicationCall(target, Inspection.PING, 0, Arguments.NONE, null);
    } catch (ThrownByCallee e) {
      return; // an exception is an answer, too
    }
  }

  /**
   * By which ways a node says that it is reached, one for each of its technologies.
   *
   * @return only the known one if the node is on another host: nodes tell their ways to their own
   *     host only
   * @throws IOException if no node answers
   */
  public List<TechnologyId> ways(TechnologyId known) throws IOException {
    ping(known);
    List<TechnologyId> ways = new ArrayList<>();
    ObjectId target = new ObjectId(NodeId.UNKNOWN, ObjectId.INSPECTION, known);
    for (String line : Inspection.ask(node, target, Inspection.WAYS)) {
      int blank = line.indexOf(' ');
      String technology = blank < 0 ? line : line.substring(0, blank);
      boolean isKnown = technology.equals(known.technology());
      ways.add(isKnown ? known : new TechnologyId(technology, line.substring(blank + 1)));
    }
    return ways;
  }
}
