package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.UkaFormat;
import io.karmi.messaging.frame.Chunk;
import io.karmi.technology.Pipe;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Messages that come in parts, over a network that cuts them anywhere. */
public class PartsTest {
  private static final int[] SIZES = {
    0, 1, 1000, 60_000, 65_500, 65_536, 70_000, 131_072, 200_000, 1_000_000
  };

  @Rule public final Timeout limit = Timeout.seconds(120);

  private final TestHost host = new TestHost(Map.of());
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @After
  public void close() {
    threads.shutdownNow();
    host.messaging.close();
  }

  /** One direction of a network in memory. */
  private static final class Bytes {
    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
    private boolean closed;

    synchronized void add(byte[] from, int offset, int length) {
      pieces.addLast(java.util.Arrays.copyOfRange(from, offset, offset + length));
      notifyAll();
    }

    /** Takes at most as many bytes as are wanted, of one piece; -1 at the end. */
    synchronized int take(byte[] to, int offset, int most) {
      while (pieces.isEmpty() && !closed) {
        try {
          wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return -1;
        }
      }
      byte[] piece = pieces.pollFirst();
      if (piece == null) {
        return -1;
      }
      int count = Math.min(most, piece.length);
      System.arraycopy(piece, 0, to, offset, count);
      if (count < piece.length) {
        pieces.addFirst(java.util.Arrays.copyOfRange(piece, count, piece.length));
      }
      return count;
    }

    synchronized boolean isEmpty() {
      return pieces.isEmpty() && !closed;
    }

    synchronized void close() {
      closed = true;
      notifyAll();
    }
  }

  /** An end of a network of which each read brings as many bytes as the test likes. */
  private static final class CutPipe implements Pipe {
    private final NodeId remote = NodeId.random();
    private final CallFormat format = new UkaFormat();
    private final Bytes in;
    private final Bytes out;
    private final Random random;
    private final int mostBytes;

    /** Whether a read that may end without bytes does so where none have come. */
    private final boolean isTimed;

    /** Bytes that were read past the buffer of the link. */
    volatile long straight;

    final AtomicInteger sends = new AtomicInteger();

    CutPipe(Bytes in, Bytes out, long seed, int mostBytes) {
      this(in, out, seed, mostBytes, false);
    }

    CutPipe(Bytes in, Bytes out, long seed, int mostBytes, boolean isTimed) {
      this.isTimed = isTimed;
      this.in = in;
      this.out = out;
      this.random = new Random(seed);
      this.mostBytes = mostBytes;
    }

    @Override
    public NodeId remote() {
      return remote;
    }

    @Override
    public String peerName() {
      return "cut";
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
    public int receive(byte[] to, int offset, int length) {
      int count = in.take(to, offset, Math.min(length, 1 + random.nextInt(mostBytes)));
      if (count > 0 && to.length > Chunk.LARGE_BYTES) {
        straight += count;
      }
      return count;
    }

    @Override
    public boolean isTimed() {
      return isTimed;
    }

    @Override
    public int receive(byte[] to, int offset, int length, int millis) {
      return in.isEmpty() ? 0 : receive(to, offset, length);
    }

    @Override
    public void send(byte[] from, int offset, int length) {
      sends.incrementAndGet();
      out.add(from, offset, length);
    }

    @Override
    public void close() {
      in.close();
      out.close();
    }
  }

  private Link link(Pipe pipe) {
    Link made =
        new Link(
            host.messaging,
            pipe,
            new Address(new ObjectId(NodeId.random(), 1)),
            new TechnologyId("cut", "1"),
            null);
    made.input.start();
    return made;
  }

  private static byte[] content(int sender, int number) {
    byte[] bytes = new byte[SIZES[(sender + number) % SIZES.length] + 2];
    new Random(31L * sender + number).nextBytes(bytes);
    bytes[0] = (byte) sender;
    bytes[1] = (byte) number;
    return bytes;
  }

  /** Sends messages of all sizes in several threads; how many bytes were read straight. */
  private long sendAll(int senders, int messages, int mostBytes) throws Exception {
    return sendAll(senders, messages, mostBytes, false);
  }

  private long sendAll(int senders, int messages, int mostBytes, boolean isTimed) throws Exception {
    Queue<byte[]> received = new ConcurrentLinkedQueue<>();
    host.messaging.receive(byte[].class, (message, from) -> received.add(message));
    Bytes there = new Bytes();
    Bytes back = new Bytes();
    CutPipe receiving = new CutPipe(there, back, mostBytes, mostBytes, isTimed);
    Link to = link(receiving);
    Link from = link(new CutPipe(back, there, 1, 100_000, isTimed));
    List<Future<?>> ends = new java.util.ArrayList<>();
    for (int i = 0; i < senders; i++) {
      int sender = i;
      ends.add(
          threads.submit(
              () -> {
                for (int number = 0; number < messages; number++) {
                  from.sender.send(content(sender, number), 0, 0, true);
                }
                return null;
              }));
    }
    for (Future<?> end : ends) {
      end.get(60, TimeUnit.SECONDS);
    }
    Deadline.await("all messages", () -> received.size() == senders * messages);
    for (byte[] each : received) {
      assertThat(each).isEqualTo(content(each[0], each[1]));
    }
    assertThat(to.isLost() || from.isLost()).isFalse();
    from.end(new IOException("the test is over"));
    to.end(new IOException("the test is over"));
    return receiving.straight;
  }

  @Test
  public void messagesArriveWholeHoweverTheirBytesAreCut() throws Exception {
    for (int most : new int[] {1000, 9000, 70_000, 300_000}) {
      sendAll(3, 60, most);
    }
  }

  @Test
  public void messagesArriveWholeThoughLinksRestBetweenReads() throws Exception {
    for (int most : new int[] {1000, 9000, 70_000}) {
      sendAll(2, SIZES.length, most, true);
    }
  }

  @Test
  public void linkThatRestsHoldsNoBytes() throws Exception {
    Queue<byte[]> received = new ConcurrentLinkedQueue<>();
    host.messaging.receive(byte[].class, (message, from) -> received.add(message));
    Bytes there = new Bytes();
    Bytes back = new Bytes();
    Link to = link(new CutPipe(there, back, 1, 100_000, true));
    Link from = link(new CutPipe(back, there, 1, 100_000, true));
    for (int round = 1; round <= 3; round++) {
      int count = round;
      from.sender.send(new byte[100], 0, 0, true);
      Deadline.await("the message", () -> received.size() == count);
      Deadline.await("its credit", () -> resting(from, to));
    }
  }

  /** Whether links hold no bytes once they have been told to rest, as quiet ones are. */
  private static boolean resting(Link... links) {
    for (Link each : links) {
      each.giveSign(System.nanoTime());
      if (each.isQuiet()) {
        each.rest();
      }
    }
    return Stream.of(links).allMatch(each -> each.heldBytes() == 0);
  }

  @Test
  public void shortLastPartLeavesWithTheOneBeforeIt() throws Exception {
    Queue<byte[]> received = new ConcurrentLinkedQueue<>();
    host.messaging.receive(byte[].class, (message, from) -> received.add(message));
    Bytes there = new Bytes();
    Bytes back = new Bytes();
    CutPipe sending = new CutPipe(back, there, 1, 100_000);
    link(new CutPipe(there, back, 1, 100_000));
    Link from = link(sending);
    for (int number = 1; number <= 20; number++) {
      byte[] message = new byte[65_536 + number];
      new Random(number).nextBytes(message);
      from.sender.send(message, 0, 0, true);
      Deadline.await("the message", () -> !received.isEmpty());
      assertThat(received.remove()).isEqualTo(message);
      assertThat(sending.sends.get()).isEqualTo(number);
    }
  }

  @Test
  public void partsOfOneSenderAreReadPastTheBuffer() throws Exception {
    long bytes = 0;
    for (int number = 0; number < SIZES.length; number++) {
      bytes += content(0, number).length;
    }
    assertThat(sendAll(1, SIZES.length, 64 * 1024)).isGreaterThan(bytes / 2);
  }
}
