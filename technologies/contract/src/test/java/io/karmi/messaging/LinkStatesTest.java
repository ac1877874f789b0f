package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.UkaFormat;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.technology.Pipe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** The states of a link's sending half, over a network that takes what the test lets it take. */
public class LinkStatesTest {
  /** Less than this is under way: the receiver is not busy. */
  private static final int BUSY = 512 * 1024 / 16;

  @Rule public final Timeout limit = Timeout.seconds(120);

  private final TestHost host = new TestHost(Map.of());
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final SlowNetwork network = new SlowNetwork();
  private Link link = link();

  private Link link() {
    return new Link(
        host.messaging,
        network,
        new Address(new ObjectId(NodeId.random(), 1)),
        new TechnologyId("slow", "1"),
        null);
  }

  @After
  public void close() {
    link.end(new IOException("the test is over"));
    network.open.release(1_000_000);
    threads.shutdownNow();
    host.messaging.close();
  }

  /** Takes one piece for each permit. */
  private static final class SlowNetwork implements Pipe {
    final Semaphore open = new Semaphore(0);
    private final NodeId remote = NodeId.random();
    private final CallFormat format = new UkaFormat();
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    boolean memory;

    @Override
    public NodeId remote() {
      return remote;
    }

    @Override
    public String peerName() {
      return "slow";
    }

    @Override
    public CallFormat format() {
      return format;
    }

    @Override
    public long key() {
      return 0;
    }

    @Override
    public boolean isMemory() {
      return memory;
    }

    @Override
    public int receive(byte[] to, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void send(byte[] from, int offset, int length) {
      open.acquireUninterruptibly();
      synchronized (taken) {
        taken.write(from, offset, length);
      }
    }

    @Override
    public void close() {}

    /** Counts the frames of a kind that have been taken. */
    int frames(int kind) {
      byte[] bytes;
      synchronized (taken) {
        bytes = taken.toByteArray();
      }
      int count = 0;
      for (int at = 0; at < bytes.length; ) {
        count += MessageFrame.kind(MessageFrame.rest(bytes, at)) == kind ? 1 : 0;
        at += MessageFrame.lengthOf(MessageFrame.bodyBytes(bytes, at));
      }
      return count;
    }
  }

  private LinkSender.Sent send(int bytes) throws RemoteException {
    return link.sender.send(new byte[bytes], MessageFrame.MESSAGE, 0, true);
  }

  private Future<?> sendInThread(int bytes) {
    return threads.submit(() -> send(bytes));
  }

  private void awaitState(LinkOutput.State state) throws InterruptedException {
    Deadline.await("state " + state, () -> link.output.state() == state);
  }

  private static void awaitUnlessDone(Future<?> future, BooleanSupplier condition)
      throws InterruptedException {
    Deadline.await("the next part", () -> future.isDone() || condition.getAsBoolean());
  }

  private void checkState(LinkOutput.State state) {
    assertThat(link.output.state()).isEqualTo(state);
  }

  /** Begins a message that the network does not take. */
  private Future<?> direct() throws InterruptedException {
    checkState(LinkOutput.State.IDLE);
    Future<?> first = sendInThread(10);
    awaitState(LinkOutput.State.DIRECT);
    return first;
  }

  /** Leaves a message in the ring, which the network does not take. */
  private void ring() throws Exception {
    Future<?> first = direct();
    send(10);
    network.open.release();
    first.get(60, TimeUnit.SECONDS);
    awaitState(LinkOutput.State.RING);
  }

  /** Has a page and some more in the ring, of which the network takes the page. */
  private void paged() throws Exception {
    ring();
    while (link.output.hasRoomFor(400_000)) {
      assertThat(link.sender.send(new byte[1000], MessageFrame.MESSAGE, 0, false))
          .isEqualTo(LinkSender.Sent.YES);
    }
    network.open.release(1);
    awaitState(LinkOutput.State.PAGED);
  }

  /** Has a thread wait for room. */
  private Future<?> stuck() throws Exception {
    paged();
    while (link.sender.send(new byte[1000], MessageFrame.MESSAGE, 0, false)
        == LinkSender.Sent.YES) {
      continue;
    }
    Future<?> waiting = sendInThread(2000);
    awaitState(LinkOutput.State.STUCK);
    return waiting;
  }

  private void takeAll() {
    network.open.release(10_000);
  }

  private void creditAll() throws Exception {
    Deadline.await("all is taken", () -> link.output.isDrained());
    link.output.credit(sentBytes());
  }

  private long sentBytes() {
    return host.messaging.counters().get("bytesSent");
  }

  @Test
  public void idleLinkSendsDirectlyAndIsIdleAgain() throws Exception {
    Future<?> first = direct();
    network.open.release();
    first.get(60, TimeUnit.SECONDS);
    checkState(LinkOutput.State.IDLE);
    assertThat(network.frames(MessageFrame.MESSAGE)).isEqualTo(1);
  }

  @Test
  public void whatComesWhileAThreadSendsLiesInTheRingUntilTheNetworkTakesIt() throws Exception {
    ring();
    takeAll();
    awaitState(LinkOutput.State.IDLE);
    assertThat(network.frames(MessageFrame.MESSAGE)).isEqualTo(2);
  }

  @Test
  public void pagedMessagesLeaveWithARequestBehindThem() throws Exception {
    paged();
    assertThat(link.sender.send("urgent", MessageFrame.REQUEST, 1, false))
        .isEqualTo(LinkSender.Sent.YES);
    awaitState(LinkOutput.State.RING);
    takeAll();
    awaitState(LinkOutput.State.IDLE);
  }

  @Test
  public void pagedMessagesLeaveAfterAWhileWithoutACredit() throws Exception {
    paged();
    takeAll();
    awaitState(LinkOutput.State.IDLE);
    assertThat(sentBytes()).isGreaterThan(BUSY);
  }

  @Test
  public void stuckSendersGoOnByACredit() throws Exception {
    Future<?> waiting = stuck();
    takeAll();
    creditAll();
    waiting.get(60, TimeUnit.SECONDS);
    awaitState(LinkOutput.State.IDLE);
  }

  @Test
  public void stuckSendersGoOnByALongerWindow() throws Exception {
    Future<?> waiting = stuck();
    takeAll();
    link.output.grant(64 * 1024);
    waiting.get(60, TimeUnit.SECONDS);
    awaitState(LinkOutput.State.IDLE);
    assertThat(link.output.hasLongWindow()).isTrue();
    link.giveBackWindow(System.nanoTime(), Long.MIN_VALUE);
    assertThat(link.output.hasLongWindow()).as("in use").isTrue();
    creditAll();
    link.giveBackWindow(System.nanoTime(), Long.MIN_VALUE);
    assertThat(link.output.hasLongWindow()).isFalse();
    Deadline.await("that is told", () -> network.frames(MessageFrame.WINDOW) == 1);
  }

  @Test
  public void partsThatWaitForCreditsNeedNoMemoryOfTheRing() throws Exception {
    takeAll();
    Future<?> large = sendInThread(3_000_000);
    int part = MessageFrame.lengthOf(MessageFrame.PART_BYTES);
    for (long credited = part; !large.isDone(); credited += part) {
      awaitUnlessDone(large, () -> link.output.state() == LinkOutput.State.STUCK);
      assertThat(link.output.heldBytes()).isZero();
      long sent = link.output.position();
      link.output.credit(Math.min(credited, sent));
      awaitUnlessDone(large, () -> link.output.position() > sent);
    }
    large.get();
    assertThat(network.frames(MessageFrame.MESSAGE))
        .isEqualTo(3_000_000 / MessageFrame.PART_BYTES + 1);
  }

  @Test
  public void messagesOverMemoryNeedNoMemoryOfTheRing() throws Exception {
    link.end(new IOException("it is another one"));
    network.memory = true;
    link = link();
    takeAll();
    for (int i = 0; i < 400; i++) {
      send(1000);
      assertThat(link.output.heldBytes()).isZero();
      assertThat(link.output.isDrained()).isTrue();
    }
    assertThat(network.frames(MessageFrame.MESSAGE)).isEqualTo(400);
    while (link.output.hasRoomFor(2000)) {
      send(1000);
    }
    Future<?> waiting = sendInThread(2000);
    awaitState(LinkOutput.State.STUCK);
    creditAll();
    waiting.get(60, TimeUnit.SECONDS);
    awaitState(LinkOutput.State.IDLE);
  }

  @Test
  public void stuckSendersAreToldThatTheLinkIsLost() throws Exception {
    Future<?> waiting = stuck();
    link.end(new IOException("lost"));
    assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(IOException.class);
    takeAll();
  }

  @Test
  public void goodbyeGoesBehindAllMessagesAndOnlyAnswersFollow() throws Exception {
    paged();
    link.farewell.sayIf(() -> true);
    checkState(LinkOutput.State.DRAINING);
    assertThat(send(10)).isEqualTo(LinkSender.Sent.LINK_LEAVES);
    takeAll();
    Deadline.await("the goodbye", () -> network.frames(MessageFrame.GOODBYE) == 1);
    assertThat(link.output.isDrained()).isTrue();
    link.sender.send("late", MessageFrame.ANSWER, 1, true);
    Deadline.await("the answer", () -> network.frames(MessageFrame.ANSWER) == 1);
    checkState(LinkOutput.State.DRAINING);
  }

  @Test
  public void goodbyeOfAnIdleLinkGoesAtOnce() throws Exception {
    takeAll();
    link.farewell.sayIf(() -> true);
    Deadline.await("the goodbye", () -> network.frames(MessageFrame.GOODBYE) == 1);
    checkState(LinkOutput.State.DRAINING);
  }
}
