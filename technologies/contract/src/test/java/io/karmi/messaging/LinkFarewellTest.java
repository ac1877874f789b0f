package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.marshal.UkaFormat;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.link.MemoryPipe;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** What counts as the end of a link in good order: the test is its other end. */
public class LinkFarewellTest {
  private static final int ROUNDS = 300;

  @Rule public final Timeout limit = Timeout.seconds(120);

  private final TestHost host = new TestHost(Map.of());
  private final AtomicInteger lost = new AtomicInteger();
  private final NodeId remote = NodeId.random();
  private final MemoryPipe[] ends = MemoryPipe.open(host.node(), remote, new UkaFormat(), 0);
  private final Link link =
      new Link(
          host.messaging,
          ends[0],
          new Address(new ObjectId(remote, 1)),
          new TechnologyId("memory", "1"),
          null);

  @Before
  public void sayGoodbye() throws Exception {
    host.messaging.onLost(address -> lost.incrementAndGet());
    link.input.start();
    link.sender.send("sent", MessageFrame.MESSAGE, 0, true);
    link.farewell.sayIf(() -> true);
    Deadline.await("the message has left", link.output::isDrained);
  }

  @After
  public void close() {
    ends[1].close();
    host.messaging.close();
  }

  private void answer(int kind, int body) throws IOException {
    byte[] frame = new byte[MessageFrame.lengthOf(body)];
    MessageFrame.putHeader(frame, 0, body, 0, kind);
    if (body > 0) {
      MessageFrame.putLong(frame, MessageFrame.HEADER_BYTES, link.output.position());
    }
    ends[1].send(frame, 0, frame.length);
  }

  private void answerGoodbye() throws Exception {
    answer(MessageFrame.GOODBYE, 0);
    Deadline.await("the goodbye", link.farewell::isHeard);
    link.farewell.endIfOver();
  }

  private void credit() throws Exception {
    answer(MessageFrame.CREDIT, Long.BYTES);
    Deadline.await("the credit", link.output::isProcessed);
  }

  private void cut() throws InterruptedException {
    ends[1].close();
    Deadline.await("the end of the link", link::isLost);
  }

  private void checkLost() throws InterruptedException {
    Deadline.await("the loss is told", () -> lost.get() == 1);
    assertThat(host.messaging.counters()).containsEntry("linksLost", 1L);
  }

  private void checkInGoodOrder() {
    assertThat(host.messaging.counters()).containsEntry("linksLost", 0L);
    assertThat(lost.get()).isZero();
  }

  @Test
  public void aLinkThatIsCutWhileAMessageIsUnprocessedIsLost() throws Exception {
    cut();
    checkLost();
  }

  @Test
  public void theOthersGoodbyeDoesNotTellThatAllIsProcessed() throws Exception {
    answerGoodbye();
    assertThat(link.isLost()).as("it waits for the credit").isFalse();
    cut();
    checkLost();
  }

  @Test
  public void aLinkEndsWhenAllIsProcessed() throws Exception {
    answerGoodbye();
    credit();
    Deadline.await("the end of the link", link::isLost);
    checkInGoodOrder();
  }

  @Test
  public void aLinkThatIsCutWhenAllIsProcessedIsNotLost() throws Exception {
    credit();
    cut();
    checkInGoodOrder();
  }

  @Test
  public void linksThatBothEndsCloseAtOnceEndInGoodOrder() throws Exception {
    Map<String, String> hasty = Map.of("karmi.idleTimeout", "20");
    TestHost left = new TestHost(hasty);
    TestHost right = new TestHost(hasty);
    AtomicInteger received = new AtomicInteger();
    try {
      for (TestHost each : new TestHost[] {left, right}) {
        each.messaging.onLost(address -> lost.incrementAndGet());
        each.messaging.receive(Integer.class, (message, from) -> received.incrementAndGet());
        each.messaging.answer(String.class, (question, from) -> question);
      }
      for (int round = 1; round <= ROUNDS; round++) {
        left.messaging.send(round, right.messaging.address());
        right.messaging.send(round, left.messaging.address());
        left.messaging.request("and this", right.messaging.address()).join();
        Deadline.await(
            "the end of idle links", () -> left.openLinks() == 0 && right.openLinks() == 0);
        assertThat(received.get()).isEqualTo(2 * round);
      }
      assertThat(left.messaging.counters()).containsEntry("linksLost", 0L);
      assertThat(right.messaging.counters()).containsEntry("linksLost", 0L);
      checkInGoodOrder();
    } finally {
      left.messaging.close();
      right.messaging.close();
    }
  }
}
