package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.reference.network.NamedTechnology;
import io.karmi.reference.network.Technologies;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.NotConnectedException;
import java.rmi.ConnectException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;
import org.junit.Before;
import org.junit.Test;

/** Which technology carries a call if the best one opens no connection. */
public class RoutesTest {
  private static final int FIRST_CALLS = 16;

  /** A technology without connections, which says who was to send a call. */
  private static final class Counting extends NamedTechnology {
    private final @Nullable String firstCallsBy;
    boolean reachable = true;
    int tried;

    Counting(String name, int rank, @Nullable String firstCallsBy) {
      super(name, rank);
      this.firstCallsBy = firstCallsBy;
    }

    @Override
    public @Nullable String firstCallsBy() {
      return firstCallsBy;
    }

    @Override
    protected CallInput exchange(
        ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
        throws RemoteException {
      TechnologyId way = target.technology(name());
      if (!alternatives().isToConnect(this, target)) {
        throw new NotConnectedException(way, null);
      }
      tried++;
      if (!reachable) {
        throw new NotConnectedException(way, new ConnectException(name() + " is down"));
      }
      throw new MarshalException("sent by " + name());
    }
  }

  private final Technologies technologies = new Technologies();
  private final Routes routes =
      new Routes(
          NodeId.random(), technologies, new NamedTechnology("local", 0), new NodeCallWatcher());
  private final Counting best = new Counting("best", 2, "second");
  private final Counting second = new Counting("second", 1, null);
  private final Counting last = new Counting("last", 0, null);

  @Before
  public void addTechnologies() {
    routes.add(best);
    routes.add(second);
    routes.add(last);
  }

  private static ObjectId at(NodeId node, String address, String... technologies) {
    TechnologyId[] ways = new TechnologyId[technologies.length];
    for (int i = 0; i < ways.length; i++) {
      ways[i] = new TechnologyId(technologies[i], address);
    }
    return new ObjectId(node, 4711, ways);
  }

  private void assertThatCallOf(ObjectId target, String outcome) throws Exception {
    ApplicationCalls route = routes.to(target);
    assertThatThrownBy(
            () -> route.voidApplicationCall(target, RemoteInterface.NONE, 0, Arguments.NONE, null))
        .hasMessage(outcome);
  }

  @Test
  public void nodesFirstCallsAreLeftToTheTechnologyThatIsNamed() throws Exception {
    NodeId node = NodeId.random();
    ObjectId target = at(node, "a", "best", "second", "last");
    for (int i = 0; i < FIRST_CALLS; i++) {
      assertThatCallOf(target, "sent by second");
    }
    assertThatCallOf(target, "sent by best");
    assertThatCallOf(at(node, "a", "best", "second"), "sent by best");
    assertThatCallOf(at(NodeId.random(), "a", "best", "second"), "sent by second");
  }

  @Test
  public void nodesFirstCallsAreLeftToNoOtherTechnology() throws Exception {
    assertThatCallOf(at(NodeId.random(), "a", "best", "last"), "sent by best");
  }

  @Test
  public void technologyThatDoesNotConnectIsNotTriedAgainForAMoment() throws Exception {
    second.reachable = false;
    NodeId node = NodeId.random();
    assertThatCallOf(at(node, "a", "second", "last"), "sent by last");
    assertThatCallOf(at(node, "a", "second", "last"), "sent by last");
    assertThat(second.tried).isEqualTo(1);
    assertThatCallOf(at(node, "b", "second", "last"), "sent by last");
    assertThat(second.tried).as("another address, which that one did not show").isEqualTo(2);
  }

  @Test
  public void callGoesOnUntilATechnologyConnects() throws Exception {
    best.reachable = false;
    second.reachable = false;
    assertThatCallOf(at(NodeId.random(), "a", "best", "second", "last"), "sent by last");
  }

  @Test
  public void callerLearnsWhyTheLastOneDoesNotConnect() throws Exception {
    second.reachable = false;
    last.reachable = false;
    assertThatCallOf(at(NodeId.random(), "a", "second", "last"), "last is down");
    assertThatCallOf(at(NodeId.random(), "a", "second"), "second is down");
  }

  @Test
  public void futureGoesByTheNextTechnology() throws Exception {
    second.reachable = false;
    ObjectId target = at(NodeId.random(), "a", "second", "last");
    assertThatThrownBy(
            () ->
                routes
                    .to(target)
                    .futureApplicationCall(target, RemoteInterface.NONE, 0, Arguments.NONE, null)
                    .get())
        .hasRootCauseMessage("sent by last");
  }

  @Test
  public void noMoreNodesAreRememberedThanABound() throws Exception {
    second.reachable = false;
    for (int i = 0; i < 3000; i++) {
      assertThatCallOf(at(NodeId.random(), "a", "second", "last"), "sent by last");
    }
    assertThat(routes.detourCount()).isBetween(1, 1000);
  }
}
