package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.network.BridgedWay;
import io.karmi.reference.network.Bridges;
import io.karmi.reference.network.Bridging;
import io.karmi.reference.network.NamedTechnology;
import io.karmi.reference.network.Technologies;
import io.karmi.uka.buffer.OutputBuffer;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.After;
import org.junit.Test;

/** Ways through third nodes: which one is called, and which ones a reference leaves with. */
public class BridgesTest {
  private static final long NUMBER = 1L << 40;

  private final Node node = new Node(List.of(new UkaFormat()));
  private final Technologies technologies = new Technologies();
  private final Bridges bridges = new Bridges(node.id(), technologies);
  private final ClientRef reference = node.reference(new ObjectId(NodeId.random(), NUMBER));

  public BridgesTest() {
    technologies.add(new NamedTechnology("net", 0));
  }

  @After
  public void closeNode() {
    node.close();
  }

  private static ObjectId at(NodeId owner, TechnologyId... ways) {
    return new ObjectId(owner, NUMBER, ways);
  }

  private static TechnologyId way(String name) {
    return new TechnologyId(name, "there");
  }

  private static TechnologyId through(ObjectId forwarder) {
    return Objects.requireNonNull(BridgedWay.to(forwarder));
  }

  private CallOutput call() {
    return new CallOutput(
        new OutputBuffer(64), new UkaFormat(), node.translation(), NodeId.random());
  }

  @Test
  public void objectThatIsReachedIsCalledItself() {
    ObjectId forwarder = at(NodeId.random(), way("net"));
    ObjectId object = at(NodeId.random(), way("net"), through(forwarder));
    assertThat(bridges.called(object)).isSameAs(object);
  }

  @Test
  public void forwarderIsCalledWhereTheObjectIsNotReached() {
    ObjectId far = at(NodeId.random(), way("unknown"));
    ObjectId near = at(NodeId.random(), way("net"));
    ObjectId object = at(NodeId.random(), way("other"), through(far), through(near));
    assertThat(bridges.called(object)).as("the first that is reached").isEqualTo(near);
    assertThat(bridges.called(at(NodeId.random(), way("other"), through(far))).node())
        .as("none is reached")
        .isNotEqualTo(far.node());
  }

  @Test
  public void wayBackToTheNodeItselfIsNotTaken() {
    ObjectId own = at(node.id(), way("net"));
    ObjectId object = at(NodeId.random(), way("other"), through(own));
    assertThat(bridges.called(object)).isSameAs(object);
  }

  @Test
  public void nodeHandsOnOnlyTheBridgeThatItUses() {
    ObjectId used = at(NodeId.random(), way("net"));
    ObjectId unused = at(NodeId.random(), way("net"), way("more"));
    ObjectId object = at(NodeId.random(), way("other"), through(used), through(unused));
    ObjectId kept = Bridges.withUsed(object, bridges.called(object));
    assertThat(ways(kept)).containsExactly(way("other"), through(used));
    assertThat(ways(Bridges.withUsed(object, object))).containsExactly(way("other"));
    assertThat(kept).as("the name stays what it is").isEqualTo(object);
  }

  private static List<TechnologyId> ways(ObjectId object) {
    List<TechnologyId> ways = new ArrayList<>();
    for (int i = 0; i < object.technologyCount(); i++) {
      ways.add(object.technology(i));
    }
    return ways;
  }

  @Test
  public void nodeThatIsNoBridgeAddsNoWay() {
    ObjectId object = at(NodeId.random(), way("other"));
    assertThat(bridges.leaving(object, reference, call())).isSameAs(object);
  }

  @Test
  public void bridgeAddsAWayThroughItselfBehindTheOthers() {
    Remote forwarding = new Remote() {};
    ObjectId forwarder = at(node.id(), way("net"), way("other"));
    bridges.use((asked, host) -> new Bridging.Forwarder(forwarding, forwarder));
    ObjectId object = at(NodeId.random(), way("other"));
    ObjectId left = bridges.leaving(object, reference, call());
    assertThat(ways(left)).containsExactly(way("other"), through(forwarder));
    assertThat(left).isEqualTo(object);
  }

  @Test
  public void bridgeAddsNoWayWhereNoneIsNeeded() {
    bridges.use(
        (asked, host) -> {
          throw new AssertionError("nothing is to be forwarded");
        });
    ObjectId reachedByAll = at(NodeId.random(), way("net"));
    ObjectId own = at(node.id(), way("other"));
    ObjectId registry = new ObjectId(NodeId.random(), ObjectId.REGISTRY, way("other"));
    ObjectId located = at(NodeId.UNKNOWN, way("other"));
    for (ObjectId each : List.of(reachedByAll, own, registry, located)) {
      assertThat(bridges.leaving(each, reference, call())).isSameAs(each);
    }
  }

  @Test
  public void bridgeThatCannotForwardLeavesTheReferenceAsItIs() {
    bridges.use((asked, host) -> null);
    ObjectId object = at(NodeId.random(), way("other"));
    assertThat(bridges.leaving(object, reference, call())).isSameAs(object);
  }
}
