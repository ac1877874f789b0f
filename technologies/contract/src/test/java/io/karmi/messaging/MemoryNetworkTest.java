package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.rmi.ConnectException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class MemoryNetworkTest {
  record Hello(int from) implements Serializable {}

  @Test
  public void manyNodesSendAndAskEachOther() throws Exception {
    int count = 16;
    MemoryNetwork network = new MemoryNetwork();
    CountDownLatch arrived = new CountDownLatch(count * (count - 1));
    Messaging[] nodes = new Messaging[count];
    try {
      for (int i = 0; i < count; i++) {
        int number = i;
        nodes[i] = network.newNode();
        nodes[i].receive(Hello.class, (hello, from) -> arrived.countDown());
        nodes[i].answer(Integer.class, (question, from) -> question * number);
      }
      for (int i = 0; i < count; i++) {
        for (int k = 0; k < count; k++) {
          if (i != k) {
            nodes[i].send(new Hello(i), nodes[k].address());
          }
        }
      }
      assertThat(arrived.await(60, TimeUnit.SECONDS)).as("left: %s", arrived.getCount()).isTrue();
      assertThat(nodes[2].request(7, nodes[5].address()).get(60, TimeUnit.SECONDS)).isEqualTo(35);
    } finally {
      for (Messaging node : nodes) {
        if (node != null) {
          node.close();
        }
      }
    }
  }

  @Test
  public void nodeOfAnotherNetworkIsNotReached() throws Exception {
    try (Messaging here = new MemoryNetwork().newNode();
        Messaging there = new MemoryNetwork().newNode()) {
      assertThatThrownBy(() -> here.send("lost", there.address()))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("in this network");
    }
  }

  @Test
  public void closedNodeIsNotReached() throws Exception {
    MemoryNetwork network = new MemoryNetwork();
    try (Messaging here = network.newNode()) {
      Messaging there = network.newNode();
      Address address = there.address();
      there.close();
      assertThatThrownBy(() -> here.send("lost", address))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("in this network");
    }
  }

  @Test
  public void closedNodeIsNotKept() throws Exception {
    MemoryNetwork network = new MemoryNetwork();
    try (Messaging here = network.newNode()) {
      here.answer(Integer.class, (question, from) -> question + 1);
      WeakReference<Messaging> closed = askAndClose(network, here);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (closed.get() != null) {
        assertThat(System.nanoTime() - deadline).as("the closed node is still kept").isNegative();
        System.gc();
        Thread.sleep(10);
      }
    }
  }

  /** The handler of the node leads to it, and is found for a class that other nodes use as well. */
  private static WeakReference<Messaging> askAndClose(MemoryNetwork network, Messaging other)
      throws Exception {
    try (Messaging node = network.newNode()) {
      node.answer(Number.class, (question, from) -> node.address());
      assertThat(node.request(7, other.address()).get(60, TimeUnit.SECONDS)).isEqualTo(8);
      assertThat(other.request(7, node.address()).get(60, TimeUnit.SECONDS))
          .isEqualTo(node.address());
      return new WeakReference<>(node);
    }
  }
}
