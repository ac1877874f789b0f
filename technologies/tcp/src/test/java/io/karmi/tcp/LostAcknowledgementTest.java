package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.dgc.Background;
import io.karmi.dgc.Collector;
import io.karmi.dgc.CollectorProvider;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.lease.LeaseProvider;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.kit.Deadline;
import io.karmi.marshal.Pinned;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RemoteObject;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Connections that are lost when a reply has come, and before what it refers to is registered. */
public class LostAcknowledgementTest {
  private static final int COLLECTIONS = 5;

  interface Part extends Remote {
    int weight() throws RemoteException;
  }

  interface Builder extends Remote {
    Part build() throws RemoteException;
  }

  private static final class Made implements Part {
    @Override
    public int weight() {
      return 7;
    }
  }

  private final Node server = new Node(List.of(new UkaFormat()));
  private final Node client = new Node(List.of(new UkaFormat()));
  private final TcpTechnology serverTcp = Wire.open(server.upCall());
  private final TcpTechnology clientTcp = Wire.open(client.upCall());
  private final Builder builder = this::build;

  /** What was made last, until its reply has come. */
  private volatile Part made;

  private volatile ServerRef part;

  private Part build() throws RemoteException {
    StubType type = StubTypes.of(Part.class);
    try {
      Part object = new Made();
      made = object;
      part = server.export(object, type.makeSkeleton(), type, 0, null);
      return (Part) part.stub();
    } catch (IOException e) {
      throw new RemoteException("cannot be exported", e);
    }
  }

  /** A collector by leases that loses all connections before it tells owners. */
  private final class Cutting implements CollectorProvider {
    @Override
    public String name() {
      return LeaseProvider.NAME;
    }

    @Override
    public Collector open(
        NodeId node, Messenger messenger, ExportedObjects objects, Background background) {
      Collector leases = new LeaseProvider().open(node, messenger, objects, background);
      return (Collector)
          Proxy.newProxyInstance(
              Collector.class.getClassLoader(),
              new Class<?>[] {Collector.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("arrived")) {
                  cut();
                }
                try {
                  return method.invoke(leases, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  private void cut() throws InterruptedException {
    clientTcp.connections().closeAll();
    Deadline.await("the server knows", () -> serverTcp.limit().present() == 0);
    made = null;
    collect();
  }

  private void collect() {
    for (int i = 0; i < COLLECTIONS && part.target() != null; i++) {
      System.gc();
    }
  }

  @Before
  public void addNetworks() {
    server.add(serverTcp);
    client.add(clientTcp);
    server.add(new LeaseProvider());
    client.add(new Cutting());
  }

  @After
  public void close() throws Exception {
    server.unexport(builder, true);
    client.close();
    server.close();
  }

  private Builder far() throws Exception {
    StubType type = StubTypes.of(Builder.class);
    ObjectId id = server.export(builder, type.makeSkeleton(), type, 0, null).id();
    return (Builder) type.makeStub(client.reference(id));
  }

  private static long pinnedBytes(Remote stub) {
    return ((Pinned) ((RemoteObject) stub).getRef()).pinnedBytes();
  }

  @Test
  public void stubsCountWithWhatTheySayWhereAPeerHasSaidIt() throws Exception {
    Part built = far().build();
    assertThat(pinnedBytes(built)).isGreaterThan(512);
    assertThat(pinnedBytes(part.stub())).as("of an own object").isEqualTo(64);
  }

  @Test
  public void resultOfACallIsThereForItsCaller() throws Exception {
    Part built = far().build();
    assertThat(built.weight()).isEqualTo(7);
    Reference.reachabilityFence(built);
  }
}
