package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import io.karmi.messaging.channel.ChannelMessage;
import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.SocketTimeoutException;
import java.rmi.ConnectException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Channels by messages: names, losses, links that come and go, and what a node refuses. */
public class MessageChannelsTest {
  @Rule public final Timeout limit = Timeout.seconds(150);

  private final List<TestHost> hosts = new ArrayList<>();

  private TestHost host(Map<String, String> properties) {
    TestHost host = new TestHost(properties);
    hosts.add(host);
    return host;
  }

  @After
  public void close() {
    hosts.forEach(host -> host.messaging.close());
  }

  record Graph(int number, Serializable content) implements Serializable {}

  /** Waits in its readObject method. */
  static final class Slow implements Serializable {
    private static final long serialVersionUID = 1;
    static volatile CountDownLatch reading = new CountDownLatch(1);
    static volatile CountDownLatch goOn = new CountDownLatch(1);

    private void readObject(ObjectInputStream in) throws IOException {
      reading.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  /** Waits in its writeObject method. */
  private static final class SlowToWrite implements Serializable {
    private static final long serialVersionUID = 1;
    static final CountDownLatch WRITING = new CountDownLatch(1);
    static final CountDownLatch GO_ON = new CountDownLatch(1);

    private void writeObject(ObjectOutputStream out) throws IOException {
      WRITING.countDown();
      try {
        GO_ON.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private static BlockingQueue<ObjectChannel> taken(TestHost host, String name) {
    BlockingQueue<ObjectChannel> taken = new LinkedBlockingQueue<>();
    host.messaging.onChannel(name, taken::add);
    return taken;
  }

  @Test
  public void aNameThatIsNotTakenIsRefused() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    Address to = b.messaging.address();
    Registration name = b.messaging.onChannel("taken", channel -> {});
    assertThatThrownBy(() -> a.messaging.openChannel(to, "other"))
        .isInstanceOf(NoSuchObjectException.class)
        .hasMessageContaining("other");
    a.messaging.openChannel(to, "taken").close();
    name.close();
    assertThatThrownBy(() -> a.messaging.openChannel(to, "taken"))
        .isInstanceOf(NoSuchObjectException.class);
  }

  @Test
  public void aHandlerThatFailsClosesItsChannel() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    b.messaging.onChannel(
        "failing",
        channel -> {
          channel.read();
          throw new IllegalStateException("the handler has failed");
        });
    ObjectChannel channel = a.messaging.openChannel(b.messaging.address(), "failing");
    channel.write("graph");
    assertThatThrownBy(channel::read).isInstanceOf(EOFException.class);
  }

  @Test
  public void aGraphIsAcknowledgedThatWasReadWhereTheOtherEndThenClosesAndCannotTell()
      throws Exception {
    TestHost a = host(Map.of("karmi.internal.messagingLanes", "2")); // one of them is in order
    TestHost b = host(Map.of());
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    Address to = b.messaging.address();
    ObjectChannel channel = a.messaging.openChannel(to, "graphs");
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(() -> sendUnchecked(a, new SlowToWrite(), to));
    SlowToWrite.WRITING.await();
    SendHandle sent = taken.take().writeAsync("graph");
    assertThat(channel.read()).isEqualTo("graph");
    channel.close();
    SlowToWrite.GO_ON.countDown();
    other.join();
    sent.await();
  }

  private static void sendUnchecked(TestHost from, Serializable message, Address to) {
    try {
      from.messaging.send(message, to);
    } catch (RemoteException e) {
      throw new CompletionException(e);
    }
  }

  @Test
  public void aLostLinkFailsAllOpenHandlesAndWakesReaders() throws Exception {
    Slow.reading = new CountDownLatch(1);
    Slow.goOn = new CountDownLatch(1);
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    ObjectChannel channel = a.messaging.openChannel(b.messaging.address(), "graphs");
    ObjectChannel other = taken.take();
    SendHandle first = channel.writeAsync("first");
    first.await();
    SendHandle second = channel.writeAsync(new Slow());
    SendHandle third = channel.writeAsync("third");
    Slow.reading.await();
    b.breakPipes();
    assertThat(first.isDone()).isTrue();
    assertThatThrownBy(second::await).isInstanceOf(LinkLostException.class);
    assertThatThrownBy(third::await).isInstanceOf(LinkLostException.class);
    assertThatThrownBy(() -> channel.write("fourth")).isInstanceOf(LinkLostException.class);
    assertThatThrownBy(channel::read).isInstanceOf(LinkLostException.class);
    assertThat(other.read()).as("what has come whole").isEqualTo("first");
    Slow.goOn.countDown();
    assertThatThrownBy(() -> readAll(other)).isInstanceOf(LinkLostException.class);
    channel.close();
    other.close();
  }

  private static void readAll(ObjectChannel channel) throws Exception {
    while (true) {
      channel.read();
    }
  }

  @Test
  public void handlesBeforeAGraphThatTakesLongAreDone() throws Exception {
    Slow.reading = new CountDownLatch(1);
    Slow.goOn = new CountDownLatch(1);
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    taken(b, "graphs");
    ObjectChannel channel = a.messaging.openChannel(b.messaging.address(), "graphs");
    SendHandle first = channel.writeAsync("first");
    SendHandle slow = channel.writeAsync(new Slow());
    first.await();
    assertThat(slow.await(10, TimeUnit.MILLISECONDS)).isFalse();
    Slow.goOn.countDown();
    slow.await();
  }

  @Test
  public void aChannelOutlivesTheTimeAfterWhichIdleLinksAreClosed() throws Exception {
    Map<String, String> soonIdle = Map.of("karmi.idleTimeout", "300");
    TestHost a = host(soonIdle);
    TestHost b = host(soonIdle);
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    ObjectChannel channel = a.messaging.openChannel(b.messaging.address(), "graphs");
    ObjectChannel other = taken.take();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1_200);
    Deadline.await("four times that time", () -> System.nanoTime() - end > 0);
    other.write("to the one that has opened it");
    channel.write("back");
    assertThat(channel.read()).isEqualTo("to the one that has opened it");
    assertThat(other.read()).isEqualTo("back");
  }

  @Test
  public void aWriteReachesTheOpenerWhereTheLinksOfTwoSendersHaveEnded() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    MessageChannels channels =
        new MessageChannels(b.messaging, new MessagingSettings(name -> null));
    MessageWay way =
        new MessageWay(channels, 1, senderThatEnds(b), a.messaging.address(), () -> {});
    way.begin(1, 1 << 16);
    way.heardFrom(senderThatEnds(b));
    assertThatCode(() -> way.sendGraph(1, false, "graph")).doesNotThrowAnyException();
  }

  @Test
  public void whoReadsAtANodeThatWasShutDownIsTold() throws Exception {
    Map<String, String> patient = Map.of("karmi.keepAlive", "0");
    TestHost a = host(patient);
    TestHost b = host(patient);
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    a.messaging.openChannel(b.messaging.address(), "graphs");
    ObjectChannel channel = taken.take();
    Future<Object> reads = CompletableFuture.supplyAsync(() -> readUnchecked(channel));
    b.drain();
    Deadline.await("it is drained", b::isDrained);
    b.shutDown();
    assertThatThrownBy(() -> reads.get(20, TimeUnit.SECONDS))
        .hasRootCauseMessage("this node was shut down");
  }

  private static Object readUnchecked(ObjectChannel channel) {
    try {
      return channel.read();
    } catch (IOException | ClassNotFoundException e) {
      throw new CompletionException(e);
    }
  }

  @Test
  public void whoAsksForAChannelThatIsGoneMayBeGoneToo() throws Exception {
    TestHost b = host(Map.of());
    MessageChannels channels =
        new MessageChannels(b.messaging, new MessagingSettings(name -> null));
    Address from = senderThatEnds(b);
    assertThatCode(() -> channels.arrived(new ChannelMessage.Ask(1, 1, 0, false, 0), from))
        .doesNotThrowAnyException();
  }

  private Address senderThatEnds(TestHost receiver) throws Exception {
    CompletableFuture<Address> sender = new CompletableFuture<>();
    Registration receives =
        receiver.messaging.receive(String.class, (text, from) -> sender.complete(from));
    TestHost sends = host(Map.of());
    sends.messaging.send("from here", receiver.messaging.address());
    Address address = sender.get(60, TimeUnit.SECONDS);
    receives.close();
    sends.messaging.close();
    Deadline.await("its link has ended", () -> !isReached(receiver, address));
    return address;
  }

  private static boolean isReached(TestHost from, Address to) throws RemoteException {
    try {
      return from.messaging.trySend("whatever", to);
    } catch (ConnectException e) {
      return false;
    }
  }

  @Test
  public void aChannelEndsOnceWhereItsLastStateCannotBeTold() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    MessageChannels channels =
        new MessageChannels(a.messaging, new MessagingSettings(name -> null));
    AtomicInteger ends = new AtomicInteger();
    MessageWay way =
        new MessageWay(channels, 1, b.messaging.address(), null, ends::incrementAndGet);
    way.begin(1, 1 << 16);
    a.messaging.close();
    way.tellSoon();
    assertThat(ends).hasValue(1);
    assertThatThrownBy(way.channel::read).isInstanceOf(LinkLostException.class);
  }

  @Test
  public void noLinkIsOpenedToWhereTheOpenerOfAChannelClaimsToBe() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of("karmi.keepAlive", "1000"));
    TestHost elsewhere = host(Map.of());
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    Address claimed = elsewhere.messaging.address();
    a.messaging
        .request(new ChannelMessage.Open(1, "graphs", claimed, 1 << 19), b.messaging.address())
        .get(60, TimeUnit.SECONDS);
    a.messaging.close();
    ObjectChannel channel = taken.take();
    assertThatThrownBy(channel::read).isInstanceOf(LinkLostException.class);
    assertThat(elsewhere.messaging.counters()).containsEntry("linksOpened", 0L);
  }

  @Test
  public void questionsInOrderForEndsThatTakeNothingHoldUpNoOthers() throws Exception {
    Slow.goOn = new CountDownLatch(1);
    TestHost a = host(Map.of());
    TestHost b = host(Map.of("karmi.writeTimeout", "600000"));
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      TestHost hostile = host(Map.of());
      CompletableFuture<Object> answer =
          hostile.messaging.request(
              new ChannelMessage.Open(1, "graphs", hostile.messaging.address(), 1 << 23),
              b.messaging.address());
      long number = ((ChannelMessage.Opened) answer.get(60, TimeUnit.SECONDS)).channel();
      ObjectChannel channel = taken.take();
      Slow.reading = new CountDownLatch(1);
      channel.writeAsync(new Slow());
      Slow.reading.await();
      Thread writer = new Thread(() -> writeMuch(channel), "writer");
      writers.add(writer);
      writer.start();
      Deadline.await("it waits", () -> isWaiting(writer));
      hostile.messaging.send(
          new ChannelMessage.State(number, 0, 0, true, false, new long[0], new String[0]),
          b.messaging.address());
      long last = i + 1;
      Deadline.await("it is told", () -> count(b, "messagesReceived") >= 2 * last);
    }
    a.missing.add(Graph.class.getName());
    taken(a, "graphs");
    ObjectChannel channel = b.messaging.openChannel(a.messaging.address(), "graphs");
    assertThatThrownBy(() -> channel.write(new Graph(1, null)))
        .isInstanceOf(UnmarshalException.class);
    Slow.goOn.countDown();
    close();
    for (Thread each : writers) {
      each.join();
    }
  }

  private static boolean isWaiting(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  private static void writeMuch(ObjectChannel channel) {
    try {
      channel.writeAsync(new byte[1 << 21]);
    } catch (IOException e) {
      // the end of its node
    }
  }

  private static long count(TestHost host, String counter) {
    return host.messaging.counters().get(counter);
  }

  @Test
  public void aClassThatIsMissingFailsTheGraphAtBothEnds() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    b.missing.add(Graph.class.getName());
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    ObjectChannel channel = a.messaging.openChannel(b.messaging.address(), "graphs");
    assertThatThrownBy(() -> channel.write(new Graph(1, null)))
        .isInstanceOf(UnmarshalException.class)
        .hasMessageContaining(Graph.class.getName());
    channel.write("after");
    ObjectChannel other = taken.take();
    assertThatThrownBy(other::read).isInstanceOf(ClassNotFoundException.class);
    assertThat(other.read()).isEqualTo("after");
  }

  @Test
  public void theFilterOfANodeHoldsForGraphs() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    b.filter =
        info ->
            info.serialClass() == Graph.class
                ? ObjectInputFilter.Status.REJECTED
                : ObjectInputFilter.Status.UNDECIDED;
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    ObjectChannel channel = a.messaging.openChannel(b.messaging.address(), "graphs");
    assertThatThrownBy(() -> channel.write(new Graph(1, null)))
        .isInstanceOf(UnmarshalException.class)
        .hasMessageContaining(InvalidClassException.class.getName());
    channel.write("after");
    ObjectChannel other = taken.take();
    assertThatThrownBy(other::read).hasRootCauseInstanceOf(InvalidClassException.class);
    assertThat(other.read()).isEqualTo("after");
  }

  @Test
  public void graphsThatAnAuthorizerRefusesFailTheirHandles() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    ObjectChannel channel = a.messaging.openChannel(b.messaging.address(), "graphs");
    channel.write("before");
    b.authorizer = (from, request) -> request;
    SendHandle refused = channel.writeAsync("refused");
    assertThat(refused.await(300, TimeUnit.MILLISECONDS)).isFalse();
    b.authorizer = null;
    assertThatThrownBy(refused::await).isInstanceOf(UnmarshalException.class);
    channel.write("after");
    ObjectChannel other = taken.take();
    assertThat(other.read()).isEqualTo("before");
    assertThatThrownBy(other::read).isInstanceOf(UnmarshalException.class);
    assertThat(other.read()).isEqualTo("after");
  }

  @Test
  public void aReaderThatTakesNothingIsGivenUpByTheWriterAndNothingIsLost() throws Exception {
    TestHost a = host(Map.of("karmi.writeTimeout", "3000"));
    TestHost b = host(Map.of());
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    ObjectChannel channel = a.messaging.openChannel(b.messaging.address(), "graphs");
    channel.write(new byte[600_000]);
    assertThatThrownBy(() -> channel.write("no room"))
        .isInstanceOf(SocketTimeoutException.class)
        .hasMessageContaining("karmi.writeTimeout");
    ObjectChannel other = taken.take();
    other.read();
    channel.write("room");
    assertThat(other.read()).isEqualTo("room");
  }

  @Test
  public void aNodeThatClosesItsMessagingEndsItsChannels() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of());
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    ObjectChannel channel = a.messaging.openChannel(b.messaging.address(), "graphs");
    channel.writeAsync("last");
    ObjectChannel other = taken.take();
    a.messaging.close();
    assertThat(other.read()).isEqualTo("last");
    assertThatThrownBy(other::read).isInstanceOf(IOException.class);
    assertThatThrownBy(channel::read).isInstanceOf(LinkLostException.class);
    assertThatThrownBy(() -> a.messaging.openChannel(b.messaging.address(), "graphs"))
        .isInstanceOf(RemoteException.class);
  }

  @Test
  public void oneHostHasSevenEighthsOfTheChannelsThatANodeTakes() throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of("karmi.internal.messagingMaxAccepted", "16"));
    BlockingQueue<ObjectChannel> taken = taken(b, "graphs");
    Address to = b.messaging.address();
    List<ObjectChannel> open = new ArrayList<>();
    for (int i = 0; i < 14; i++) {
      open.add(a.messaging.openChannel(to, "graphs"));
    }
    assertThatThrownBy(() -> a.messaging.openChannel(to, "graphs"))
        .isInstanceOf(RemoteException.class)
        .hasStackTraceContaining("as many channels");
    open.get(0).close();
    taken.take().close();
    Deadline.await("a place", () -> opens(a, to));
  }

  @Test
  public void aChannelThatTheOtherEndHasClosedHasNoPlaceThoughItsHandlerLeavesItOpen()
      throws Exception {
    TestHost a = host(Map.of());
    TestHost b = host(Map.of("karmi.internal.messagingMaxAccepted", "64"));
    b.messaging.onChannel("echo", channel -> channel.write(channel.read()));
    BlockingQueue<ObjectChannel> taken = taken(b, "unread");
    Address to = b.messaging.address();
    for (int i = 0; i < 200; i++) {
      try (ObjectChannel channel = a.messaging.openChannel(to, "echo")) {
        channel.write(i);
        assertThat(channel.read()).isEqualTo(i);
      }
      try (ObjectChannel channel = a.messaging.openChannel(to, "unread")) {
        channel.write(i);
      }
      ObjectChannel other = taken.take();
      assertThat(other.read()).as("after the other end has closed it").isEqualTo(i);
      assertThatThrownBy(other::read).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> other.write(1)).isInstanceOf(EOFException.class);
      assertThat(other.isReadable()).isTrue();
    }
  }

  private static boolean opens(TestHost a, Address to) {
    try {
      a.messaging.openChannel(to, "graphs");
      return true;
    } catch (RemoteException e) {
      return false;
    }
  }

  @Test
  public void aHostOfManyNodesHasChannelsBetweenThem() throws Exception {
    MemoryNetwork network = new MemoryNetwork();
    try (Messaging a = network.newNode();
        Messaging b = network.newNode()) {
      b.onChannel("echo", channel -> channel.write(channel.read()));
      ObjectChannel channel = a.openChannel(b.address(), "echo");
      channel.write("there and back");
      assertThat(channel.read()).isEqualTo("there and back");
    }
  }
}
