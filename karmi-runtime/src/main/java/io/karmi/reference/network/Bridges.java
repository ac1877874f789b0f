package io.karmi.reference.network;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.Technology;
import java.rmi.server.RemoteRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The ways to objects that lead through a third node (paper 4.3).
 *
 * <p>Every node can call through one. A node hands on only the bridge that it uses itself, as it
 * keeps no other alive. A node that is a bridge adds its own. So an object has the same name
 * whichever way a reference has come, and a receiver that has a technology in common with the owner
 * uses that. Thread-safe.
 */
public final class Bridges {
  private final NodeId node;
  private final Technologies technologies;
  private volatile @Nullable Bridging bridging;

  /**
   * The bridges that a node uses.
   *
   * @param technologies those of the node; some may be added later
   */
  public Bridges(NodeId node, Technologies technologies) {
    this.node = node;
    this.technologies = technologies;
  }

  /** Makes the node a bridge itself. */
  public void use(Bridging runtime) {
    bridging = runtime;
  }

  /**
   * What is called in place of an object: the object itself, if it can be reached; else the first
   * forwarding object that can be.
   */
  public ObjectId called(ObjectId object) {
    if (!isBridged(object) || object.node().equals(node) || reaches(object)) {
      return object;
    }
    for (int i = 0; i < object.technologyCount(); i++) {
      ObjectId forwarder = BridgedWay.forwarder(object.technology(i));
      if (forwarder != null && !forwarder.node().equals(node) && reaches(forwarder)) {
        return forwarder;
      }
    }
    return object;
  }

  private boolean reaches(ObjectId object) {
    return technologies.best(object) != null;
  }

  private static boolean isBridged(ObjectId object) {
    return object.technology(BridgedWay.NAME) != null;
  }

  /** An object's name without the bridges that are not used. */
  public static ObjectId withUsed(ObjectId object, ObjectId called) {
    if (!isBridged(object)) {
      return object;
    }
    List<TechnologyId> kept = new ArrayList<>();
    for (int i = 0; i < object.technologyCount(); i++) {
      TechnologyId way = object.technology(i);
      if (!way.technology().equals(BridgedWay.NAME)
          || called != object && Objects.equals(called, BridgedWay.forwarder(way))) {
        kept.add(way);
      }
    }
    return new ObjectId(object.node(), object.number(), kept.toArray(new TechnologyId[0]));
  }

  /**
   * The name under which a reference of another node's object leaves in a call: from a bridge with
   * a way through it, if a receiver may need that.
   */
  public ObjectId leaving(ObjectId object, RemoteRef reference, CallOutput call) {
    Bridging runtime = bridging;
    if (runtime == null || isFoundOtherwise(object) || isForAllPeers(object)) {
      return object;
    }
    Bridging.Forwarder forwarder = runtime.forwarder(reference, call.receiverHost());
    TechnologyId way = forwarder == null ? null : BridgedWay.to(forwarder.id());
    if (forwarder == null || way == null) {
      return object;
    }
    call.pin(forwarder.object());
    TechnologyId[] ways = new TechnologyId[object.technologyCount() + 1];
    for (int i = 0; i < ways.length - 1; i++) {
      ways[i] = object.technology(i);
    }
    ways[ways.length - 1] = way;
    return new ObjectId(object.node(), object.number(), ways);
  }

  private boolean isFoundOtherwise(ObjectId object) {
    return object.node().equals(node) || object.node() == NodeId.UNKNOWN || object.isWellKnown();
  }

  /** Whether each technology reaches an object, and so each node that this one reaches can, too. */
  private boolean isForAllPeers(ObjectId object) {
    for (Technology technology : technologies) {
      if (object.technology(technology.name()) == null) {
        return false;
      }
    }
    return true;
  }
}
