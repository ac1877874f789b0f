package io.karmi.messaging.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import io.karmi.messaging.LinkLostException;
import io.karmi.messaging.ObjectChannel;
import io.karmi.messaging.SendHandle;
import io.karmi.technology.RuntimeThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** What holds for a channel over a socket that the threads of its program read themselves. */
public class SocketReaderTest {
  private static final int SECONDS = 100;
  private static final String END = "end";

  @Rule public final Timeout limit = Timeout.seconds(SECONDS);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Socket one;
  private Socket other;
  private ObjectChannel left;
  private ObjectChannel right;

  @Before
  public void open() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      one = new Socket(server.getInetAddress(), server.getLocalPort());
      other = server.accept();
    }
  }

  @After
  public void close() throws IOException {
    threads.shutdownNow();
    one.close();
    other.close();
  }

  private void openChannels() throws IOException {
    left = ObjectChannel.over(one);
    right = ObjectChannel.over(other);
  }

  private static Object echo(ObjectChannel channel) throws Exception {
    while (true) {
      Object graph = channel.read();
      channel.writeAsync(graph);
      if (graph.equals(END)) {
        return graph;
      }
    }
  }

  /** Requests and answers, until the threads that wait for them have read the socket. */
  private void echo() throws Exception {
    Thread asking = Thread.currentThread();
    Future<Object> answers = threads.submit(() -> echo(right));
    Future<Object> seen =
        threads.submit(
            () -> {
              Deadline.await("the reader reads", () -> isInSocket(asking));
              return END;
            });
    for (int i = 0; !seen.isDone() || i < 100; i++) {
      left.writeAsync(i);
      assertThat(left.read()).isEqualTo(i);
    }
    seen.get();
    left.writeAsync(END);
    assertThat(left.read()).isEqualTo(END);
    answers.get();
  }

  /** Whether a thread reads the socket. */
  private static boolean isInSocket(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(each -> each.getClassName().equals(FrameInput.class.getName()));
  }

  @Test
  public void whoWaitsForAnswersReadsTheSocket() throws Exception {
    openChannels();
    echo();
  }

  @Test
  public void interruptedReadersStopAndTheChannelGoesOn() throws Exception {
    openChannels();
    echo();
    for (boolean isVirtual : new boolean[] {false, true}) {
      CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
      Runnable read =
          () -> {
            try {
              left.read();
              interrupted.complete(false);
            } catch (InterruptedIOException e) {
              interrupted.complete(Thread.currentThread().isInterrupted());
            } catch (IOException | ClassNotFoundException e) {
              interrupted.completeExceptionally(e);
            }
          };
      Thread reader =
          isVirtual
              ? RuntimeThreads.startVirtual("reader", read)
              : RuntimeThreads.start("reader", read, true);
      reader.interrupt();
      assertThat(interrupted.get()).as("virtual: " + isVirtual).isTrue();
      echo();
    }
  }

  @Test
  public void virtualThreadsAreInterruptedWhileTheyEcho() throws Exception {
    openChannels();
    echo();
    AtomicInteger rounds = new AtomicInteger();
    CompletableFuture<Exception> ended = new CompletableFuture<>();
    Future<Object> answers = threads.submit(() -> echo(right));
    Thread asking =
        RuntimeThreads.startVirtual(
            "asking",
            () -> {
              try {
                while (true) {
                  left.writeAsync("x");
                  left.read();
                  rounds.incrementAndGet();
                }
              } catch (IOException | ClassNotFoundException e) {
                ended.complete(e);
              }
            });
    Deadline.await("some rounds", () -> rounds.get() > 200);
    asking.interrupt();
    assertThat(ended.get()).isInstanceOf(InterruptedIOException.class);
    left.writeAsync(END);
    Deadline.await("the end", () -> END.equals(left.read()));
    answers.get();
  }

  @Test
  public void writeReturnsThoughTheOtherProgramReadsNoMore() throws Exception {
    openChannels();
    for (int i = 0; i < 20; i++) {
      echo();
      left.write("to the right");
      right.write("to the left");
      assertThat(left.read()).isEqualTo("to the left");
      assertThat(right.read()).isEqualTo("to the right");
    }
  }

  @Test
  public void endsThatWriteMuchBeforeTheyReadDoNotWaitForEachOther() throws Exception {
    openChannels();
    byte[] large = new byte[20_000_000];
    for (int i = 0; i < 3; i++) {
      echo();
      List<Future<SendHandle>> written = new ArrayList<>();
      for (ObjectChannel each : List.of(left, right)) {
        written.add(threads.submit(() -> each.writeAsync(large)));
      }
      for (Future<SendHandle> each : written) {
        each.get().await();
      }
      assertThat((byte[]) left.read()).hasSize(large.length);
      assertThat((byte[]) right.read()).hasSize(large.length);
    }
  }

  @Test
  public void aWriterIsToldWhileAnotherThreadWaitsForAGraph() throws Exception {
    openChannels();
    echo();
    Future<Object> waiting = threads.submit((Callable<Object>) left::read);
    for (int i = 0; i < 100; i++) {
      left.write(i);
      assertThat(right.read()).isEqualTo(i);
    }
    right.write("late");
    assertThat(waiting.get()).isEqualTo("late");
  }

  @Test
  public void severalReadersGetAGraphEach() throws Exception {
    openChannels();
    for (int i = 0; i < 20; i++) {
      echo();
      List<Future<Object>> read = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        read.add(threads.submit((Callable<Object>) left::read));
      }
      List<Object> graphs = new ArrayList<>();
      for (int graph = 0; graph < 3; graph++) {
        right.writeAsync(graph);
      }
      for (Future<Object> each : read) {
        graphs.add(each.get(SECONDS, TimeUnit.SECONDS));
      }
      assertThat(graphs).containsExactlyInAnyOrder(0, 1, 2);
    }
  }

  @Test
  public void aGraphThatComesInPartsIsReadWhole() throws Exception {
    List<byte[]> frames = recorded(12);
    left = ObjectChannel.over(one);
    OutputStream out = other.getOutputStream();
    out.write(SocketFrame.opening(1 << 19));
    for (int i = 0; i < frames.size(); i++) {
      byte[] frame = frames.get(i);
      Future<Object> graph = threads.submit((Callable<Object>) left::read);
      Deadline.await("a thread waits", () -> isWaiting());
      int first = i < 6 ? frame.length : 1 + (i - 6) * 3; // parts of the header, and of the body
      out.write(frame, 0, first);
      if (first < frame.length) {
        TimeUnit.MILLISECONDS.sleep(30); // more than the waiting thread reads for
        assertThat(graph.isDone()).isFalse();
        out.write(frame, first, frame.length - first);
      }
      assertThat(graph.get()).isEqualTo("graph " + i);
    }
  }

  private static boolean isWaiting() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(
            each ->
                each.getClassName().equals(ReceivedGraphs.class.getName())
                    && each.getMethodName().equals("take"));
  }

  /** Graphs and answers, each acknowledged, until the threads that write have read the socket. */
  private void echoAcknowledged() throws Exception {
    Thread asking = Thread.currentThread();
    Future<Object> answers =
        threads.submit(
            () -> {
              Object graph;
              do {
                graph = right.read();
                right.write(graph);
              } while (!graph.equals(END));
              return graph;
            });
    Future<Object> seen =
        threads.submit(
            () -> {
              Deadline.await("the writer reads", () -> isInSocketFor(asking, SentGraphs.class));
              return END;
            });
    for (int i = 0; !seen.isDone() || i < 100; i++) {
      left.write(i);
      assertThat(left.read()).isEqualTo(i);
    }
    seen.get();
    left.write(END);
    assertThat(left.read()).isEqualTo(END);
    answers.get();
  }

  /** Whether a thread reads the socket from within a class. */
  private static boolean isInSocketFor(Thread thread, Class<?> waiting) {
    List<String> classes =
        Arrays.stream(thread.getStackTrace()).map(StackTraceElement::getClassName).toList();
    return classes.contains(FrameInput.class.getName()) && classes.contains(waiting.getName());
  }

  @Test
  public void whoWaitsForAcknowledgementsReadsTheSocket() throws Exception {
    openChannels();
    assertThat(one.getTcpNoDelay()).as("graphs wait for no acknowledgement").isTrue();
    echoAcknowledged();
  }

  /** A graph that knows which thread has read it. */
  private static final class Read implements Serializable {
    private static final long serialVersionUID = 1;
    private transient Thread thread;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      thread = Thread.currentThread();
    }
  }

  @Test
  public void whoWaitsForAcknowledgementsReadsNoGraphs() throws Exception {
    openChannels();
    for (int i = 0; i < 5; i++) {
      echoAcknowledged();
      Future<Thread> writer =
          threads.submit(
              () -> {
                for (int j = 0; j < 200; j++) {
                  left.write(j);
                }
                return Thread.currentThread();
              });
      for (int j = 0; j < 200; j++) {
        right.writeAsync(new Read());
      }
      List<Thread> readers = new ArrayList<>();
      for (int j = 0; j < 200; j++) {
        readers.add(((Read) left.read()).thread);
        assertThat(right.read()).isEqualTo(j);
      }
      assertThat(readers).doesNotContain(writer.get());
    }
  }

  @Test
  public void endsThatWaitForTheirLargeGraphsAtOnceDoNotWaitForEachOther() throws Exception {
    openChannels();
    byte[] large = new byte[20_000_000];
    for (int i = 0; i < 3; i++) {
      echoAcknowledged();
      List<Future<Object>> written = new ArrayList<>();
      for (ObjectChannel each : List.of(left, right, left, right)) {
        written.add(
            threads.submit(
                () -> {
                  each.write(large);
                  return each.read();
                }));
      }
      for (Future<Object> each : written) {
        assertThat((byte[]) each.get()).hasSize(large.length);
      }
    }
  }

  @Test
  public void endsOfWhichManyThreadsWriteAndReadAreAllAcknowledged() throws Exception {
    openChannels();
    echoAcknowledged();
    List<Future<Integer>> ends = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      for (ObjectChannel each : List.of(left, right)) {
        ends.add(
            threads.submit(
                () -> {
                  int read = 0;
                  for (int i = 0; i < 300; i++) {
                    each.write(new byte[i * 10]);
                    read += ((byte[]) each.read()).length >= 0 ? 1 : 0;
                  }
                  return read;
                }));
      }
    }
    for (Future<Integer> each : ends) {
      assertThat(each.get()).isEqualTo(300);
    }
  }

  /** A channel whose program waits for an acknowledgement, and reads the socket for it. */
  private Future<Object> waitingWriter() throws Exception {
    left = ObjectChannel.over(one);
    OutputStream out = other.getOutputStream();
    out.write(SocketFrame.opening(1 << 19));
    CompletableFuture<Thread> writer = new CompletableFuture<>();
    Future<Object> written =
        threads.submit(
            () -> {
              writer.complete(Thread.currentThread());
              for (int i = 0; ; i++) {
                left.write(i);
              }
            });
    InputStream in = other.getInputStream();
    in.readNBytes(SocketFrame.OPENING_BYTES);
    for (int graphs = 0; true; ) {
      byte[] header = in.readNBytes(SocketFrame.HEADER_BYTES);
      in.readNBytes(ByteBuffer.wrap(header).getInt());
      if (header[SocketFrame.HEADER_BYTES - 1] == SocketFrame.GRAPH) {
        graphs++;
        if (graphs > 100) {
          TimeUnit.MILLISECONDS.sleep(1); // so that the writer is seen
          if (isInSocketFor(writer.get(), SentGraphs.class)) {
            break;
          }
        }
        out.write(SocketFrame.state(new ChannelState(graphs, 0, false, false, List.of())));
      }
    }
    assertThat(written.isDone()).isFalse();
    return written;
  }

  @Test
  public void anInterruptEndsTheWaitForAnAcknowledgementAndTheChannelGoesOn() throws Exception {
    openChannels();
    echoAcknowledged();
    CompletableFuture<Exception> interrupted = new CompletableFuture<>();
    Future<?> answers =
        threads.submit(
            () -> {
              while (!interrupted.isDone()) {
                right.read();
              }
              return null;
            });
    Thread writer =
        RuntimeThreads.start(
            "writer",
            () -> {
              try {
                while (true) {
                  left.write("x");
                }
              } catch (IOException e) {
                interrupted.complete(e);
              }
            },
            true);
    Deadline.await("it reads", () -> isInSocketFor(writer, SentGraphs.class));
    writer.interrupt();
    assertThat(interrupted.get()).isInstanceOf(InterruptedIOException.class);
    left.write("the last one");
    answers.get();
    while (right.isReadable()) {
      right.read();
    }
    echoAcknowledged();
  }

  @Test
  public void anAcknowledgementOfWhatWasNotSentEndsTheChannelOfTheWriterThatReadsIt()
      throws Exception {
    Future<Object> written = waitingWriter();
    other
        .getOutputStream()
        .write(SocketFrame.state(new ChannelState(1L << 40, 0, false, false, List.of())));
    assertThatThrownBy(written::get)
        .hasCauseInstanceOf(LinkLostException.class)
        .hasMessageContaining("acknowledged");
  }

  @Test
  public void aWriterThatReadsTheSocketEndsWithIt() throws Exception {
    Future<Object> written = waitingWriter();
    other.close();
    assertThatThrownBy(written::get).hasCauseInstanceOf(LinkLostException.class);
  }

  @Test
  public void aWriterThatIsNotAnsweredGivesUpInTime() throws Exception {
    System.setProperty("karmi.callTimeout", "3000");
    try {
      Future<Object> written = waitingWriter();
      assertThatThrownBy(written::get).hasCauseInstanceOf(SocketTimeoutException.class);
    } finally {
      System.clearProperty("karmi.callTimeout");
    }
  }

  @Test
  public void acknowledgementsThatNobodyTakesHoldUpNoReader() throws Exception {
    one.setSendBufferSize(4096); // with a small buffer at the other end TCP itself stands still
    left = ObjectChannel.over(one);
    Future<?> reader =
        threads.submit(
            () -> {
              for (int i = 0; i < 20_000; i++) {
                left.read();
              }
              return null;
            });
    List<byte[]> frames = recorded(1);
    OutputStream out = other.getOutputStream();
    out.write(SocketFrame.opening(1 << 19));
    byte[] frame = frames.get(0);
    ByteBuffer first = ByteBuffer.wrap(frame);
    for (int i = 1; i <= 20_000; i++) {
      first.putLong(SocketFrame.HEADER_BYTES, i);
      frame[SocketFrame.HEADER_BYTES + SocketFrame.GRAPH_BYTES - 1] = 3; // awaited, fresh types
      out.write(frame);
    }
    reader.get(SECONDS, TimeUnit.SECONDS);
  }

  /** The frames of a channel that writes this many graphs. */
  private static List<byte[]> recorded(int count) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket peer = new Socket(server.getInetAddress(), server.getLocalPort())) {
      ObjectChannel channel = ObjectChannel.over(server.accept());
      peer.getOutputStream().write(SocketFrame.opening(1 << 20));
      List<byte[]> frames = new ArrayList<>();
      InputStream in = peer.getInputStream();
      assertThat(in.readNBytes(SocketFrame.OPENING_BYTES)).hasSize(SocketFrame.OPENING_BYTES);
      for (int i = 0; i < count; i++) {
        channel.writeAsync("graph " + i);
      }
      while (frames.size() < count) {
        byte[] header = in.readNBytes(SocketFrame.HEADER_BYTES);
        byte[] body = in.readNBytes(ByteBuffer.wrap(header).getInt());
        if (header[SocketFrame.HEADER_BYTES - 1] == SocketFrame.GRAPH) {
          ByteArrayOutputStream frame = new ByteArrayOutputStream();
          frame.write(header);
          frame.write(body);
          frames.add(frame.toByteArray());
        }
      }
      return frames;
    }
  }

  @Test
  public void closeEndsAReaderThatReadsTheSocket() throws Exception {
    openChannels();
    echo();
    Future<Object> ofLeft = threads.submit((Callable<Object>) left::read);
    Future<Object> ofRight = threads.submit((Callable<Object>) right::read);
    right.close();
    assertThatThrownBy(ofLeft::get).hasCauseInstanceOf(java.io.EOFException.class);
    assertThatThrownBy(ofRight::get)
        .hasCauseInstanceOf(java.nio.channels.ClosedChannelException.class);
  }
}
