package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.RemoteInterface;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.lang.reflect.Method;
import java.rmi.ConnectException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.server.RemoteObject;
import java.rmi.server.ServerNotActiveException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Calls between two nodes: from the caller's end of a reference to the callee's, and back. */
public class CallsTest {
  interface Till extends Remote {
    int total(int[] prices) throws RemoteException;

    void breakDown(Exception reason) throws Exception;

    Remote same(Remote other) throws RemoteException;

    int askedOf(Till other, int[] prices) throws RemoteException;

    String caller() throws RemoteException;

    CompletableFuture<Integer> later(int value) throws RemoteException;
  }

  private static class Counting implements Till {
    @Override
    public int total(int[] prices) {
      int sum = Arrays.stream(prices).sum();
      Arrays.fill(prices, 0);
      return sum;
    }

    @Override
    public void breakDown(Exception reason) throws Exception {
      throw reason;
    }

    @Override
    public Remote same(Remote other) {
      return other;
    }

    @Override
    public int askedOf(Till other, int[] prices) throws RemoteException {
      return other.total(prices);
    }

    @Override
    public String caller() throws RemoteException {
      try {
        return CallContext.clientHost();
      } catch (ServerNotActiveException e) {
        return "none";
      }
    }

    @Override
    public CompletableFuture<Integer> later(int value) {
      return value < 0
          ? CompletableFuture.failedFuture(new IllegalArgumentException("below 0"))
          : CompletableFuture.completedFuture(value);
    }
  }

  private final LoopbackNodes nodes = new LoopbackNodes();
  private final Counting object = new Counting();
  private Node server;
  private Node client;
  private ServerRef entry;
  private Till till;

  @Before
  public void exportTill() throws IOException {
    server = nodes.open();
    client = nodes.open();
    entry = nodes.export(server, Till.class, object);
    till = LoopbackNodes.stub(client, Till.class, entry.id());
  }

  @After
  public void closeNodes() {
    nodes.close();
  }

  @Test
  public void callReachesTheObjectOfAnotherNode() throws Exception {
    assertThat(till.total(new int[] {3, 4})).isEqualTo(7);
  }

  @Test
  public void objectOfTheOwnNodeGetsACopyOfItsArguments() throws Exception {
    int[] prices = {3, 4};
    assertThat(((Till) entry.stub()).total(prices)).isEqualTo(7);
    assertThat(prices).as("the method has overwritten its own copy").containsExactly(3, 4);
  }

  @Test
  public void whatTheMethodThrowsHasTheFramesOfBothSides() {
    assertThatThrownBy(() -> till.breakDown(new IOException("drawer is stuck")))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("drawer is stuck")
        .satisfies(
            e ->
                assertThat(e.getStackTrace())
                    .extracting(StackTraceElement::getMethodName)
                    .contains("exceptionReceivedFromServer")
                    .contains("whatTheMethodThrowsHasTheFramesOfBothSides"));
  }

  @Test
  public void remoteExceptionOfTheMethodIsToldFromOneOfTheCall() {
    assertThatThrownBy(() -> till.breakDown(new RemoteException("elsewhere")))
        .isInstanceOf(ServerException.class)
        .hasRootCauseMessage("elsewhere");
  }

  @Test
  public void callOfAnUnexportedObjectFindsNoSuchObject() throws Exception {
    assertThat(till.total(new int[] {1})).isEqualTo(1);
    server.unexport(object, true);
    assertThatThrownBy(() -> till.total(new int[] {1}))
        .isInstanceOf(NoSuchObjectException.class)
        .hasMessage("no such object in table");
  }

  @Test
  public void argumentThatIsExportedArrivesAsAStubOfItsOwnNode() throws Exception {
    Counting own = new Counting();
    nodes.export(client, Till.class, own);
    assertThat(till.askedOf(own, new int[] {5, 6})).isEqualTo(11);
  }

  @Test
  public void referenceThatComesHomeIsLocalAndEqualToItsStub() throws Exception {
    Counting own = new Counting();
    ServerRef ownEntry = nodes.export(client, Till.class, own);
    Remote back = till.same(own);
    assertThat(back).isEqualTo(ownEntry.stub()).hasSameHashCodeAs(ownEntry.stub());
    ClientRef reference = (ClientRef) ((RemoteObject) back).getRef();
    assertThat(reference.isLocal()).isTrue();
    assertThat(((Till) back).total(new int[] {8})).isEqualTo(8);
  }

  @Test
  public void referenceOfAnotherNodeIsEqualWhereverItHasBeen() throws Exception {
    assertThat(till.same(till)).isEqualTo(till).isEqualTo(entry.stub());
  }

  @Test
  public void calleeKnowsItsCallerForTheTimeOfTheCallOnly() throws Exception {
    assertThat(till.caller()).isEqualTo("127.0.0.1");
    assertThat(object.caller()).isEqualTo("none");
    assertThat(CallContext.caller()).isNull();
  }

  @Test
  public void futureIsCompletedWithTheOutcomeOfTheMethod() throws Exception {
    assertThat(till.later(9).get(60, TimeUnit.SECONDS)).isEqualTo(9);
    assertThatThrownBy(() -> till.later(-1).get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseExactlyInstanceOf(IllegalArgumentException.class);
  }

  @Test
  public void nodesWithoutACommonTechnologyAreToldWhatEachHas() {
    Till unreached = LoopbackNodes.stub(nodes.alone(), Till.class, entry.id());
    assertThatThrownBy(() -> unreached.total(new int[0]))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("no common technology for object " + entry.id())
        .hasMessageContaining("this node has []; add one, or a bridge");
  }

  @Test
  public void callsOfOthersAreRefusedOnceTheNodeShutsDown() throws Exception {
    assertThat(server.shutDown(TimeUnit.SECONDS.toMillis(60))).isTrue();
    assertThatThrownBy(() -> till.total(new int[0])).isInstanceOf(ConnectException.class);
    assertThat(((Till) entry.stub()).total(new int[] {2}))
        .as("the node's own program goes on")
        .isEqualTo(2);
  }

  @Test
  public void replicasStandForEachOther() throws Exception {
    Node second = nodes.open();
    ServerRef spare = nodes.export(second, Till.class, new Counting());
    ReplicatedRef both =
        new ReplicatedRef(List.of(client.reference(entry.id()), client.reference(spare.id())));
    assertThat(total(both, 4)).isEqualTo(4);
    server.close();
    assertThat(total(both, 5)).as("of the second, as the first is gone").isEqualTo(5);
    second.close();
    assertThatThrownBy(() -> total(both, 6))
        .isInstanceOf(ConnectException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).as("why the other failed").hasSize(1));
  }

  private Object total(ReplicatedRef reference, int price) throws Exception {
    Method method = Till.class.getDeclaredMethod("total", int[].class);
    RemoteInterface methods = StubTypes.of(Till.class).remoteInterface();
    long hash = 0;
    for (int i = 0; i < methods.methodCount(); i++) {
      hash = methods.methodName(i).startsWith("total(") ? methods.methodHash(i) : hash;
    }
    return reference.invoke(till, method, new Object[] {new int[] {price}}, hash);
  }
}
