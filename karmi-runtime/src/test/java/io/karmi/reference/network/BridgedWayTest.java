package io.karmi.reference.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.util.List;
import org.junit.Test;

public class BridgedWayTest {
  private static final long NUMBER = 0x89ab_0123_cdef_4567L;
  private final NodeId node = NodeId.random();

  private static ObjectId travelled(ObjectId forwarder) {
    TechnologyId way = BridgedWay.to(forwarder);
    assertThat(way).isNotNull();
    return BridgedWay.forwarder(new TechnologyId(way.technology(), way.address()));
  }

  @Test
  public void addressNamesNodeNumberAndWays() {
    TechnologyId tcp = new TechnologyId("tcp", "10.0.0.7:4711,[::1]:4711");
    TechnologyId odd = new TechnologyId("a;b=c%", "%3B;=%25 \u20AC");
    ObjectId forwarder = new ObjectId(node, NUMBER, tcp, odd);
    ObjectId read = travelled(forwarder);
    assertThat(read).isEqualTo(forwarder);
    assertThat(read.technologyCount()).isEqualTo(2);
    assertThat(read.technology(0)).isEqualTo(tcp);
    assertThat(read.technology(1)).isEqualTo(odd);
    assertThat(BridgedWay.to(forwarder).address())
        .startsWith(node + "/89ab0123cdef4567;tcp=10.0.0.7:4711,[::1]:4711;");
  }

  @Test
  public void addressesThatMakeNoSenseLeadNowhere() {
    String good = node + "/89ab0123cdef4567;tcp=host:1";
    assertThat(BridgedWay.forwarder(new TechnologyId("bridge", good))).isNotNull();
    assertThat(BridgedWay.forwarder(new TechnologyId("tcp", good))).isNull();
    for (String address :
        List.of(
            "",
            "/",
            ";",
            node.toString(),
            node + "/89ab0123cdef4567",
            node + "/;tcp=host:1",
            node + "/89ab0123cdef45678;tcp=host:1",
            node + "/-1;tcp=host:1",
            node + "/xyz;tcp=host:1",
            node + "/89ab0123cdef4567;tcp",
            node + "/89ab0123cdef4567;bridge=x",
            node + "/89ab0123cdef4567" + ";tcp=host:1".repeat(17),
            "0".repeat(32) + "/89ab0123cdef4567;tcp=host:1",
            "g".repeat(32) + "/89ab0123cdef4567;tcp=host:1",
            node + "/0;tcp=host:1",
            node + "/2;tcp=host:1",
            node.toString().substring(1) + "/89ab0123cdef4567;tcp=host:1")) {
      assertThat(BridgedWay.forwarder(new TechnologyId("bridge", address))).as(address).isNull();
    }
  }

  @Test
  public void wayThatNoReferenceCouldCarryIsNotMade() {
    TechnologyId longest = new TechnologyId("tcp", "x".repeat(4096));
    assertThat(BridgedWay.to(new ObjectId(node, NUMBER, longest))).isNull();
  }
}
