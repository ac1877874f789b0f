package io.karmi.reference;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.technology.ThrownByCallee;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Asks other nodes whether they answer, and by which ways they are reached. Thread-safe. */
public final class Probe {
  private final Node node;

  /** Asks for a node. */
  public Probe(Node node) {
    this.node = node;
  }

  /** The way to whatever listens at a port. */
  public TechnologyId locate(String host, int port) {
    return node.locate(host, port, ObjectId.INSPECTION).id().technology(0);
  }

  /**
   * Makes a call that does nothing, by one way and no other.
   *
   * @throws IOException if no node answers
   */
  public void ping(TechnologyId way) throws IOException {
    ObjectId target = new ObjectId(NodeId.UNKNOWN, ObjectId.INSPECTION, way);
    try {
      node.route(target).voidApplicationCall(target, Inspection.PING, 0, Arguments.NONE, null);
    } catch (ThrownByCallee e) {
      return; // an answer is an answer
    }
  }

  /**
   * By which ways a node says that it is reached, one for each of its technologies.
   *
   * @return that by which it was asked, if it is of another host, to which none says it
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
