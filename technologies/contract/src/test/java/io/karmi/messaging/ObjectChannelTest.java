package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ClosedChannelException;
import java.rmi.MarshalException;
import java.rmi.UnmarshalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What holds for channels, by messages and over a socket of the program. */
@RunWith(Parameterized.class)
public class ObjectChannelTest {
  private static final int SECONDS = 150;
  private static final int ROUNDS = 100;

  /** Longer than a window, so that it goes in parts. */
  private static final int LARGE = 700_000;

  /** The ways. */
  @Parameters(name = "{0}")
  public static List<String> ways() {
    return List.of("messages", "socket");
  }

  @Rule public final Timeout limit = Timeout.seconds(SECONDS);

  private final String way;
  private final List<AutoCloseable> toClose = new ArrayList<>();
  private ObjectChannel left;
  private ObjectChannel right;

  public ObjectChannelTest(String way) {
    this.way = way;
  }

  @Before
  public void open() throws Exception {
    if (way.equals("messages")) {
      TestHost a = new TestHost(Map.of());
      TestHost b = new TestHost(Map.of());
      toClose.add(a.messaging);
      toClose.add(b.messaging);
      BlockingQueue<ObjectChannel> taken = new LinkedBlockingQueue<>();
      b.messaging.onChannel("graphs", taken::add);
      left = a.messaging.openChannel(b.messaging.address(), "graphs");
      right = taken.take();
    } else {
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        Socket one = new Socket(server.getInetAddress(), server.getLocalPort());
        left = ObjectChannel.over(one);
        right = ObjectChannel.over(server.accept());
      }
      toClose.add(left);
      toClose.add(right);
    }
  }

  @After
  public void close() throws Exception {
    for (AutoCloseable each : toClose) {
      each.close();
    }
  }

  static final class Node implements Serializable {
    private static final long serialVersionUID = 1;
    final int value;
    Node next;

    Node(int value) {
      this.value = value;
    }
  }

  /** Its readObject method fails. */
  static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1;
    final Node before = new Node(1);

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      throw new IllegalStateException("readObject has failed");
    }
  }

  /** The bytes of which do not tell where they end. */
  static final class Careless implements Serializable {
    private static final long serialVersionUID = 1;
    long field = 1;
    Object other = "other";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(7);
      out.writeObject(new Late());
    }

    private void readObject(ObjectInputStream in) throws IOException {
      throw new IllegalStateException("readObject has failed");
    }
  }

  static final class Late implements Serializable {
    private static final long serialVersionUID = 1;
  }

  @Test
  public void writeReturnsWhenTheOtherEndHasTheGraphThoughItHasNotReadIt() throws Exception {
    Node ring = new Node(7);
    ring.next = ring;
    left.write(ring);
    assertThat(right.isReadable()).isTrue();
    Node read = (Node) right.read();
    assertThat(read.value).isEqualTo(7);
    assertThat(read.next).isSameAs(read);
    assertThat(right.isReadable()).isFalse();
  }

  @Test
  public void bothEndsWriteAndReadInOneThread() throws Exception {
    for (int i = 0; i < 100; i++) {
      left.write("to the right " + i);
      right.write("to the left " + i);
      assertThat(left.read()).isEqualTo("to the left " + i);
      assertThat(right.read()).isEqualTo("to the right " + i);
    }
    left.write(null);
    assertThat(right.read()).isNull();
  }

  @Test
  public void handlesAreDoneWithoutBeingAwaited() throws Exception {
    SendHandle one = left.writeAsync("one");
    Deadline.await("the first graph is there", one::isDone);
    SendHandle last = one;
    for (int i = 0; i < 40; i++) {
      last = left.writeAsync(i);
    }
    assertThat(last.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(right.read()).isEqualTo("one");
  }

  @Test
  public void objectsMayBeChangedOnceTheyAreWritten() throws Exception {
    int[] numbers = new int[100_000];
    SendHandle first = left.writeAsync(numbers);
    numbers[99_999] = 1;
    SendHandle second = left.writeAsync(numbers);
    first.await();
    second.await();
    assertThat((int[]) right.read()).endsWith(0);
    assertThat((int[]) right.read()).endsWith(1);
  }

  @Test
  public void elementsAreReadAsAnArrayOfTheirNumber() throws Exception {
    Node shared = new Node(1);
    Node[] elements = {shared, new Node(2), shared, new Node(3)};
    left.writeElements(elements, 3).await();
    left.writeElements(elements, 4).await();
    left.writeElements(new Object[] {"a", null}, 0).await();
    Node[] three = (Node[]) right.read();
    assertThat(three).hasSize(3);
    assertThat(three[2]).isSameAs(three[0]);
    assertThat((Node[]) right.read()).hasSize(4);
    assertThat((Object[]) right.read()).isEmpty();
    assertThatThrownBy(() -> left.writeElements(elements, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  public void aGraphThatCannotBeReadFailsItsHandleAndNotTheChannel() throws Exception {
    for (Serializable bad : List.of(new Unreadable(), new Careless())) {
      SendHandle before = left.writeAsync(new Node(1));
      SendHandle unread = left.writeAsync(bad);
      before.await();
      assertThatThrownBy(unread::await)
          .isInstanceOf(UnmarshalException.class)
          .hasMessageContaining("readObject has failed");
      assertThatThrownBy(unread::isDone).isInstanceOf(UnmarshalException.class);
      writeUntilReadable(bad);
      assertThat(((Node) right.read()).value).isEqualTo(1);
      assertThatThrownBy(right::read)
          .isInstanceOf(UnmarshalException.class)
          .hasStackTraceContaining("readObject has failed");
      assertThat(((Node) lastRead()).value).isEqualTo(2);
    }
  }

  @Test
  public void whyAGraphCannotBeReadIsToldThoughItTakesOthersAlong() throws Exception {
    SendHandle unread = left.writeAsync(new Careless());
    for (int i = 0; i < 10; i++) {
      left.writeAsync(new Node(i));
    }
    assertThatThrownBy(unread::await).hasMessageContaining("readObject has failed");
  }

  /** Graphs that follow may fail until types are described afresh. */
  private void writeUntilReadable(Serializable bad) throws IOException {
    while (true) {
      try {
        left.write(new Node(2));
        return;
      } catch (UnmarshalException e) {
        assertThat(bad).as(String.valueOf(e)).isInstanceOf(Careless.class);
      }
    }
  }

  private Object lastRead() throws Exception {
    while (true) {
      try {
        return right.read();
      } catch (UnmarshalException e) {
        assertThat(e).hasStackTraceContaining("types were lost");
      }
    }
  }

  @Test
  public void aGraphThatCannotBeMarshalledIsNotSent() throws Exception {
    left.write("before");
    assertThatThrownBy(() -> left.write(new Object[] {new Node(1), new Object()}))
        .isInstanceOf(MarshalException.class)
        .hasCauseInstanceOf(NotSerializableException.class);
    left.write(new Node(2));
    assertThat(right.read()).isEqualTo("before");
    assertThat(((Node) right.read()).value).isEqualTo(2);
    assertThat(right.isReadable()).isFalse();
  }

  @Test
  public void whatWasWrittenIsReadAfterTheEnd() throws Exception {
    left.writeAsync("first");
    left.writeAsync(new byte[200_000]);
    left.close();
    left.close();
    assertThat(right.read()).isEqualTo("first");
    assertThat((byte[]) right.read()).hasSize(200_000);
    assertThat(right.isReadable()).isTrue();
    assertThatThrownBy(right::read).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> right.write("no")).isInstanceOf(EOFException.class);
    assertThatThrownBy(left::read).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> left.write("no")).isInstanceOf(ClosedChannelException.class);
    right.close();
  }

  @Test
  public void closeEndsReadersOfBothEnds() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<Object> ofLeft = threads.submit((Callable<Object>) left::read);
      Future<Object> ofRight = threads.submit((Callable<Object>) right::read);
      right.close();
      assertThatThrownBy(() -> ofLeft.get(SECONDS, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> ofRight.get(SECONDS, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(ClosedChannelException.class);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  public void aWriterWaitsWhileTheWindowIsFull() throws Exception {
    byte[] large = new byte[400_000];
    left.write(large);
    left.write(large); // less than a window was unread before it
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<SendHandle> third = threads.submit(() -> left.writeAsync(large));
      assertThatThrownBy(() -> third.get(100, TimeUnit.MILLISECONDS))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      right.read();
      right.read();
      third.get(SECONDS, TimeUnit.SECONDS).await();
      assertThat((byte[]) right.read()).hasSize(400_000);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  public void interruptedThreadsStopWaitingAndStayInterrupted() throws Exception {
    Thread.currentThread().interrupt();
    assertThatThrownBy(left::read).isInstanceOf(java.io.InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    left.write("after");
    assertThat(right.read()).isEqualTo("after");
  }

  @Test
  public void graphsOfManyThreadsArriveWholeAndInTheOrderOfEachThread() throws Exception {
    int threadCount = 3;
    int graphs = 400;
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (ObjectChannel channel : List.of(left, right)) {
        for (int i = 0; i < threadCount; i++) {
          int thread = i;
          all.add(threads.submit(() -> writeGraphs(channel, thread, graphs)));
        }
        all.add(threads.submit(() -> readGraphs(channel, threadCount, graphs)));
      }
      for (Future<?> each : all) {
        each.get(SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Object writeGraphs(ObjectChannel channel, int thread, int graphs)
      throws IOException {
    Random random = new Random(thread);
    List<SendHandle> handles = new ArrayList<>();
    for (int i = 0; i < graphs; i++) {
      int[] numbers = new int[2 + random.nextInt(random.nextInt(20) == 0 ? 50_000 : 50)];
      java.util.Arrays.fill(numbers, thread);
      numbers[1] = i;
      if (random.nextInt(10) == 0) {
        channel.write(numbers);
      } else {
        handles.add(channel.writeAsync(numbers));
      }
    }
    for (SendHandle each : handles) {
      each.await();
    }
    return thread;
  }

  private static Object readGraphs(ObjectChannel channel, int threadCount, int graphs)
      throws IOException, ClassNotFoundException {
    int[] next = new int[threadCount];
    for (int i = 0; i < threadCount * graphs; i++) {
      int[] numbers = (int[]) channel.read();
      int thread = numbers[0];
      assertThat(numbers[1]).isEqualTo(next[thread]++);
      for (int at = 2; at < numbers.length; at++) {
        if (numbers[at] != thread) {
          throw new AssertionError(numbers[at] + " in a graph of thread " + thread);
        }
      }
    }
    return next;
  }

  private static int writeUntilTheOtherEndCloses(ObjectChannel channel, Object graph)
      throws IOException {
    int written = 0;
    try {
      while (true) {
        channel.write(graph);
        written++;
      }
    } catch (EOFException e) {
      return written;
    }
  }

  @Test
  public void writerIsToldAtOnceThatTheOtherEndWasClosed() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Object graph = i % 4 == 0 ? new byte[LARGE] : "graph";
      ObjectChannel writing = left;
      FutureTask<Integer> writer =
          new FutureTask<>(() -> writeUntilTheOtherEndCloses(writing, graph));
      new Thread(writer, "writer").start();
      int read = i % 3;
      for (int j = 0; j < read; j++) {
        right.read();
      }
      right.close();
      assertThat(writer.get(SECONDS, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(read);
      close();
      toClose.clear();
      open();
    }
  }
}
