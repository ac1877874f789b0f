package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.frame.UnfinishedMessages;
import io.karmi.technology.Pipe;
import io.karmi.technology.Pipes;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** What a node keeps of messages that it has not handled, whatever its peers do. */
public class MemoryBoundsTest {
  private static final int LARGEST_MESSAGE = 24 << 20;

  private final TestHost a = new TestHost(Map.of());
  private final TestHost b =
      new TestHost(Map.of("karmi.maxMessageBytes", Integer.toString(LARGEST_MESSAGE)));

  @After
  public void close() {
    a.messaging.close();
    b.messaging.close();
  }

  record Large(int sender, byte[] load) implements Serializable {}

  record Small(int number) implements Serializable {}

  /** A peer that has the key, but sends what it likes. */
  private Pipe rawPeer() throws IOException {
    Address to = b.messaging.address();
    return ((Pipes) a.technology())
        .open(to.node(), to.object().technology(0), to.object().number());
  }

  @Test
  public void peerCannotFillEveryLaneWithAnUnfinishedMessage() throws Exception {
    int part = MessageFrame.PART_BYTES;
    byte[] frame = new byte[MessageFrame.HEADER_BYTES + part];
    long sent = 0;
    try (Pipe peer = rawPeer()) {
      Thread reader = new Thread(() -> readAll(peer)); // credits must not fill its socket
      reader.start();
      IOException refused = null;
      for (int i = 0; refused == null && sent < 16L * LARGEST_MESSAGE; i++) {
        int lane = i % MessageFrame.MAXIMUM_LANES;
        MessageFrame.putHeader(frame, 0, part, lane, MessageFrame.MESSAGE | MessageFrame.MORE);
        try {
          peer.send(frame, 0, frame.length);
          sent += frame.length;
        } catch (IOException e) {
          refused = e;
        }
      }
      assertThat(refused).as("the node has closed the connection").isNotNull();
      assertThat(sent).isLessThan(LARGEST_MESSAGE + 2L * UnfinishedMessages.SHARED_BYTES);
    }
    assertNextIsServed();
  }

  private static void readAll(Pipe peer) {
    byte[] bytes = new byte[1000];
    try {
      while (peer.receive(bytes, 0, bytes.length) >= 0) {
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      assertThat(e).isNotNull(); // closed
    }
  }

  private void assertNextIsServed() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    b.messaging.receive(Small.class, (message, from) -> arrived.countDown());
    a.messaging.send(new Small(1), b.messaging.address());
    assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  public void largeMessagesOfManyThreadsKeepToTheBoundAndArrive() throws Exception {
    int senders = 8;
    AtomicInteger lost = new AtomicInteger();
    a.messaging.onLost(address -> lost.incrementAndGet());
    CountDownLatch all = new CountDownLatch(senders * 6);
    b.messaging.receive(Large.class, (message, from) -> all.countDown());
    ExecutorService threads = Executors.newFixedThreadPool(senders);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < senders; i++) {
        int sender = i;
        ends.add(threads.submit(() -> sendLarge(sender)));
      }
      for (Future<?> end : ends) {
        end.get(120, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(lost.get()).isZero();
  }

  private Void sendLarge(int sender) throws IOException {
    for (int size : new int[] {6 << 20, 20 << 20, 100_000, 20 << 20, 9 << 20, 70_000}) {
      a.messaging.send(new Large(sender, new byte[size]), b.messaging.address());
    }
    return null;
  }

  @Test
  public void messagesThatWaitAmongManyOthersDoNotKeepTheirBuffers() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger received = new AtomicInteger();
    CountDownLatch ordered = new CountDownLatch(2_000);
    b.messaging.receive(
        Small.class,
        (message, from) -> {
          go.await(120, TimeUnit.SECONDS);
          ordered.countDown();
        });
    b.messaging.receive(Large.class, (message, from) -> received.incrementAndGet());
    Address to = b.messaging.address();
    for (int i = 0; i < 2_000; i++) {
      a.messaging.sendOrdered(new Small(i), to);
      a.messaging.send(new Large(0, new byte[60_000]), to);
      a.messaging.send(new Large(0, new byte[60_000]), to);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (received.get() < 4_000) {
      assertThat(System.nanoTime() - end).as("%s received", received).isNegative();
      Thread.sleep(1);
    }
    assertThat(b.messaging.receiveBuffers()).isLessThan(20);
    go.countDown();
    assertThat(ordered.await(60, TimeUnit.SECONDS)).isTrue();
  }
}
