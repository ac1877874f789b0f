package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Channels that are closed by one thread while another one writes, over a network. */
public abstract class ClosingChannelsContract {
  private static final int SECONDS = 60;
  private static final int ROUNDS = 200;

  /** Longer than a window, so that it goes in parts. */
  private static final int LARGE = 700_000;

  @Rule public final Timeout limit = Timeout.seconds(3L * SECONDS);

  private final BlockingQueue<ObjectChannel> taken = new LinkedBlockingQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private TestHost sender;
  private TestHost receiver;

  /** The network. */
  protected abstract Technology open(UpCall upCall) throws IOException;

  private Technology opened(UpCall upCall) {
    try {
      return open(upCall);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Before
  public void openNodes() throws Exception {
    sender = new TestHost(Map.of(), this::opened);
    receiver = new TestHost(Map.of(), this::opened);
    receiver.messaging.onChannel("graphs", taken::add);
  }

  @After
  public void closeNodes() {
    threads.shutdownNow();
    sender.messaging.close();
    receiver.messaging.close();
  }

  private ObjectChannel openChannel() throws Exception {
    return sender.messaging.openChannel(receiver.messaging.address(), "graphs");
  }

  private ObjectChannel taken() throws InterruptedException {
    return taken.poll(SECONDS, TimeUnit.SECONDS);
  }

  /** Its writeObject method waits. */
  static final class Slow implements Serializable {
    private static final long serialVersionUID = 1;
    private final transient CountDownLatch begun = new CountDownLatch(1);
    private final transient CountDownLatch mayEnd = new CountDownLatch(1);

    private void writeObject(ObjectOutputStream out) throws IOException {
      begun.countDown();
      try {
        mayEnd.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      out.defaultWriteObject();
    }
  }

  private static List<Object> readAll(ObjectChannel channel) throws Exception {
    List<Object> all = new ArrayList<>();
    try {
      while (true) {
        all.add(channel.read());
      }
    } catch (EOFException e) {
      return all;
    }
  }

  /** Writes until that fails; returns how many were acknowledged. */
  private static int write(ObjectChannel channel, Object graph) throws IOException {
    int written = 0;
    try {
      while (true) {
        channel.write(graph);
        written++;
      }
    } catch (ClosedChannelException e) {
      return written;
    }
  }

  private void assertLinkIsUsable() throws Exception {
    try (ObjectChannel next = openChannel();
        ObjectChannel other = taken()) {
      next.write("next");
      assertThat(other.read()).isEqualTo("next");
    }
  }

  private void assertWriterIsTold(Object graph) throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      ObjectChannel left = openChannel();
      ObjectChannel right = taken();
      Future<Integer> writer = threads.submit(() -> write(left, graph));
      Future<List<Object>> reader = threads.submit(() -> readAll(right));
      if (i % 2 == 0) {
        left.write("first");
      }
      left.close();
      int written = writer.get(SECONDS, TimeUnit.SECONDS);
      assertThat(reader.get(SECONDS, TimeUnit.SECONDS))
          .as("what was acknowledged is read")
          .hasSizeGreaterThanOrEqualTo(i % 2 == 0 ? written + 1 : written);
      right.close();
    }
    assertLinkIsUsable();
  }

  @Test
  public void writerOfSmallGraphsIsToldThatTheChannelWasClosed() throws Exception {
    assertWriterIsTold("graph");
  }

  @Test
  public void writerOfLargeGraphsIsToldThatTheChannelWasClosed() throws Exception {
    assertWriterIsTold(new byte[LARGE]);
  }

  @Test
  public void writerThatWaitsForRoomIsToldThatTheChannelWasClosed() throws Exception {
    ObjectChannel left = openChannel();
    ObjectChannel right = taken();
    left.write(new byte[LARGE]);
    Future<Integer> writer = threads.submit(() -> write(left, "no room"));
    left.close();
    assertThat(writer.get(SECONDS, TimeUnit.SECONDS)).isZero();
    assertThat(readAll(right)).hasSize(1);
    right.close();
    assertLinkIsUsable();
  }

  @Test
  public void channelThatIsClosedWhileAGraphIsMarshalledLosesNothingThatWasWritten()
      throws Exception {
    ObjectChannel left = openChannel();
    ObjectChannel right = taken();
    Slow slow = new Slow();
    left.write("first");
    Future<?> writer =
        threads.submit(
            () -> {
              left.write(slow);
              return null;
            });
    slow.begun.await();
    Future<?> closing =
        threads.submit(
            () -> {
              left.close();
              return null;
            });
    assertThat(right.read()).isEqualTo("first");
    slow.mayEnd.countDown();
    closing.get(SECONDS, TimeUnit.SECONDS);
    try {
      writer.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(ClosedChannelException.class);
    }
    assertThat(readAll(right)).hasSizeLessThanOrEqualTo(1);
    right.close();
    assertLinkIsUsable();
  }
}
