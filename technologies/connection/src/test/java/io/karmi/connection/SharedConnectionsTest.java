package io.karmi.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.connection.call.CallConnection;
import io.karmi.connection.pool.ConnectionPool;
import io.karmi.connection.pool.Pools;
import io.karmi.contract.Nodes;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.rmi.RemoteException;
import java.util.Objects;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Connections that a registry's address and the node that was found there share. */
public class SharedConnectionsTest {
  private static final String REGISTRY = "registry";
  private static final String EXPORT = "export";

  private final NodeId node = NodeId.random();
  private final FailingTechnology technology =
      new FailingTechnology("failing", Nodes.caller(), node, false);
  private final Pools pools = new Pools(technology.owner());
  private ConnectionPool ofAddress;
  private ConnectionPool ofNode;

  /** The registry returns a reference to an object that its node has exported at another end. */
  @Before
  public void find() throws RemoteException {
    TechnologyId registry = new TechnologyId("failing", REGISTRY);
    ofAddress = pools.resolve(new ObjectId(NodeId.UNKNOWN, ObjectId.REGISTRY, registry), registry);
    CallConnection over = ofAddress.connect(NodeId.UNKNOWN);
    TechnologyId export = new TechnologyId("failing", EXPORT);
    pools.found(ofAddress, over, new ObjectId(node, 1L << 32, export), export);
    ofNode = (ConnectionPool) Objects.requireNonNull(export.attachment());
    over.close();
  }

  @After
  public void close() {
    technology.close();
  }

  @Test
  public void registryIsCalledOverConnectionsOfItsOwnEnd() throws RemoteException {
    CallConnection opened = ofNode.connect(node);
    ofNode.giveBack(opened);
    assertThat(opened.dialled).isEqualTo(REGISTRY);
    assertThat(ofAddress.takeIdle(NodeId.UNKNOWN)).isSameAs(opened);
  }

  @Test
  public void registryIsNotCalledAtTheEndThatAnsweredInItsPlace() throws RemoteException {
    technology.unreachable = REGISTRY;
    CallConnection opened = ofNode.connect(node);
    ofNode.giveBack(opened);
    assertThat(opened.dialled).isEqualTo(EXPORT);
    assertThat(ofAddress.takeIdle(NodeId.UNKNOWN)).isNull();
    assertThat(ofNode.takeIdle(node)).isSameAs(opened);
  }
}
