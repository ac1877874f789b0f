package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.LoopbackTechnology;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.marshal.UkaFormat;
import io.karmi.messaging.link.MemoryPipe;
import io.karmi.technology.Pipe;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.rmi.ConnectException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Nodes whose messaging is closed while links to them or from them are being made. */
public class ClosedNodesTest {
  @Rule public final Timeout limit = Timeout.seconds(120);

  private final TestHost closed = new TestHost(Map.of("karmi.messaging.open", "true"));
  private final TestHost other =
      new TestHost(
          Map.of(), above -> new LoopbackTechnology(closing(UpCall.class, above, "takesMessages")));

  @After
  public void close() {
    closed.messaging.close();
    other.messaging.close();
  }

  /** The same, but a call of one of its methods closes the node first. */
  private <T> T closing(Class<T> type, T same, String name) {
    Object made =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals(name)) {
                closed.messaging.close();
              }
              return method.invoke(same, arguments);
            });
    return type.cast(made);
  }

  private static MemoryPipe[] pipe(NodeId to) {
    return MemoryPipe.open(NodeId.random(), to, new UkaFormat(), 0);
  }

  @Test
  public void aLinkThatWasBeingOpenedIsEnded() throws Exception {
    assertThatThrownBy(() -> closed.messaging.send("late", other.messaging.address()))
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("closed");
    assertThat(closed.openLinks()).isZero();
    assertThat(closed.messaging.openedLinks()).isZero();
    Deadline.await("the end of the link", () -> other.openLinks() == 0);
  }

  @Test
  public void aLinkThatWasBeingAcceptedIsEnded() throws Exception {
    MemoryPipe[] ends = pipe(closed.node());
    closed.accept(closing(Pipe.class, ends[1], "peerName"));
    assertThat(closed.openLinks()).isZero();
    assertThat(ends[0].receive(new byte[1], 0, 1)).as("the end of the pipe").isEqualTo(-1);
  }

  @Test
  public void aLinkThatHasEndedBeforeItWasAddedIsNotKept() throws Exception {
    Address of = new Address(new ObjectId(NodeId.random(), 1));
    Address to = new Address(new ObjectId(NodeId.random(), 1)); // as it is called by a stub
    TechnologyId way = new TechnologyId("memory", "1");
    Link link = new Link(closed.messaging, pipe(of.node())[0], of, way, null);
    link.end(new IOException("ended"));
    LinkTable links = new LinkTable(16);
    Iterator<Link> opened = List.of(link).iterator();
    links.get(
        to, false, true, (address, mayWait, since) -> opened.hasNext() ? opened.next() : null);
    assertThat(links.all).isEmpty();
    assertThat(links.destinations(link)).containsExactly(of.destination());
  }

  /** As where both ends close both of two links to each other at once. */
  @Test
  public void linksEndThatFollowEachOther() throws Exception {
    Link[] links = new Link[2];
    for (int i = 0; i < 2; i++) {
      Address to = new Address(new ObjectId(NodeId.random(), 1));
      TechnologyId way = new TechnologyId("memory", "1");
      links[i] = new Link(other.messaging, pipe(to.node())[0], to, way, null);
    }
    links[0].follow(links[1]);
    links[1].follow(links[0]);
    for (Link each : links) {
      each.end(new IOException("ended"));
    }
    assertThat(links[0].oneBefore()).isNull();
    assertThat(links[1].oneBefore()).isNull();
  }
}
