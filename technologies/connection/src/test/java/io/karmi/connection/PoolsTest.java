package io.karmi.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.connection.call.CallConnection;
import io.karmi.connection.pool.ConnectionPool;
import io.karmi.connection.pool.Pools;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.junit.After;
import org.junit.Test;

/** Pools of nodes and addresses that a peer chooses so that their hash codes are the same. */
public class PoolsTest {
  private static final int COUNT = 1 << 15;

  /** Of processor time; a list, or a tree without an order, takes half a billion comparisons. */
  private static final long MOST_NANOS = 2_000_000_000L;

  private final FailingTechnology technology =
      new FailingTechnology("failing", Nodes.caller(), NodeId.random(), false);

  private final Pools pools = new Pools(technology.owner());

  @After
  public void close() {
    technology.close();
  }

  private static ObjectId at(NodeId node, String address) {
    return new ObjectId(node, 1L << 32, new TechnologyId("failing", address));
  }

  /** References to as many nodes, whose ids have one hash code, at one address. */
  private static List<ObjectId> ofManyNodes() {
    List<ObjectId> all = new ArrayList<>();
    for (int i = 1; i <= COUNT; i++) {
      all.add(at(NodeId.of(i, i), "here"));
    }
    return all;
  }

  /** References to one node at as many addresses, which have one hash code. */
  private static List<ObjectId> atManyAddresses() {
    NodeId node = NodeId.of(1, 2);
    List<ObjectId> all = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      StringBuilder address = new StringBuilder();
      for (int bit = 1; bit < COUNT; bit <<= 1) {
        address.append((i & bit) == 0 ? "Aa" : "BB");
      }
      all.add(at(node, address.toString()));
    }
    return all;
  }

  private static long hashes(List<ObjectId> of, Function<ObjectId, Object> part) {
    Set<Integer> hashes = new HashSet<>();
    of.forEach(each -> hashes.add(part.apply(each).hashCode()));
    return hashes.size();
  }

  private interface Finder {
    ConnectionPool find(ObjectId object) throws Exception;
  }

  private static void assertFast(List<ObjectId> objects, Finder finder) throws Exception {
    assertThat(hashes(objects, ObjectId::node)).isEqualTo(1);
    assertThat(hashes(objects, each -> each.technology(0).address())).isEqualTo(1);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long begun = threads.getCurrentThreadCpuTime();
    Set<ConnectionPool> found = Collections.newSetFromMap(new IdentityHashMap<>());
    for (ObjectId each : objects) {
      found.add(finder.find(each));
    }
    assertThat(threads.getCurrentThreadCpuTime() - begun).isLessThan(MOST_NANOS);
    assertThat(found).as("a pool for each").hasSize(COUNT);
    ObjectId some = objects.get(COUNT / 3);
    assertThat(finder.find(at(some.node(), some.technology(0).address())))
        .as("the same place again")
        .isSameAs(finder.find(some));
  }

  private ConnectionPool named(ObjectId object) {
    return pools.resolve(object, object.technology(0));
  }

  /** Finds pools of nodes that have sent references over one connection. */
  private Finder found() throws Exception {
    ConnectionPool home = new ConnectionPool(technology.owner(), null);
    CallConnection over = new CallConnection(technology.dial("there", false), home);
    return object -> {
      TechnologyId way = object.technology(0);
      pools.found(home, over, object, way);
      return (ConnectionPool) Objects.requireNonNull(way.attachment());
    };
  }

  @Test
  public void nodesOfOneHashCodeDoNotMakeTheTableSlow() throws Exception {
    assertFast(ofManyNodes(), this::named);
  }

  @Test
  public void addressesOfOneHashCodeDoNotMakeTheTableSlow() throws Exception {
    assertFast(atManyAddresses(), this::named);
  }

  @Test
  public void nodesOfOneHashCodeThatOneConnectionNamesDoNotMakeTheTableSlow() throws Exception {
    assertFast(ofManyNodes(), found());
  }

  @Test
  public void addressesOfOneHashCodeThatOneConnectionNamesDoNotMakeTheTableSlow() throws Exception {
    assertFast(atManyAddresses(), found());
  }
}
