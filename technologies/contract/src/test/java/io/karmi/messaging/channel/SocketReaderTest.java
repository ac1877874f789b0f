package io.karmi.messaging.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import io.karmi.messaging.ObjectChannel;
import io.karmi.messaging.SendHandle;
import io.karmi.technology.RuntimeThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
