package io.karmi.connection.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.guard.Ledgers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.Test;

/** Messages in frames of all sizes, which arrive in pieces of all sizes. */
public class CallFrameInputTest {
  /** What arrives, as much at a time as a source of chance says. */
  private static final class Arriving extends ChannelOfTest {
    private final byte[] bytes;
    private final Random pieces;
    private int at;
    boolean closed;

    Arriving(byte[] bytes, Random pieces) {
      this.bytes = bytes;
      this.pieces = pieces;
    }

    @Override
    public int receive(byte[] to, int offset, int length) {
      if (at == bytes.length) {
        return -1;
      }
      int most = Math.min(length, bytes.length - at);
      int count =
          pieces.nextInt(3) == 0 ? 1 + pieces.nextInt(most) : Math.min(most, 1 + pieces.nextInt(9));
      System.arraycopy(bytes, at, to, offset, count);
      at += count;
      return count;
    }

    @Override
    public void send(byte[] from, int offset, int length) {}

    @Override
    public void close() {
      closed = true;
    }
  }

  private static void frame(ByteArrayOutputStream to, int kind, byte[] body, int from, int length) {
    byte[] header = new byte[FrameHeader.HEADER_BYTES];
    FrameHeader.putHeader(header, 0, kind, length);
    to.writeBytes(header);
    to.write(body, from, length);
  }

  /** A message in frames of random sizes, none of them empty but perhaps the last. */
  private static void message(ByteArrayOutputStream to, byte[] body, Random random, int most) {
    int from = 0;
    while (from < body.length && random.nextInt(20) != 0) {
      int length = Math.min(body.length - from, 1 + random.nextInt(most));
      frame(to, FrameHeader.CALL | FrameHeader.MORE, body, from, length);
      from += length;
    }
    frame(to, FrameHeader.CALL, body, from, body.length - from);
  }

  @Test
  public void messagesAreJoinedFromFramesOfAllSizes() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      ByteArrayOutputStream sent = new ByteArrayOutputStream();
      byte[][] bodies = new byte[1 + random.nextInt(4)][];
      for (int i = 0; i < bodies.length; i++) {
        bodies[i] = new byte[random.nextInt(random.nextBoolean() ? 100 : 150_000)];
        random.nextBytes(bodies[i]);
        message(sent, bodies[i], random, 1 + random.nextInt(random.nextBoolean() ? 10 : 70_000));
      }
      CallFrameInput in =
          new CallFrameInput(
              new Arriving(sent.toByteArray(), random),
              Integer.MAX_VALUE,
              Ledgers.messages().open(() -> null, 0, reason -> false));
      for (byte[] body : bodies) {
        assertThat(in.awaitMessage() & FrameHeader.KIND_MASK).isEqualTo(FrameHeader.CALL);
        assertThat(readInPieces(in, body.length, random)).as("seed %d", seed).isEqualTo(body);
      }
      assertThat(in.awaitMessage()).as("seed %d", seed).isEqualTo(-1);
    }
  }

  /** Reads some, or all, and asks for more at once than comes at once. */
  private static byte[] readInPieces(CallFrameInput in, int length, Random random)
      throws IOException {
    byte[] read = new byte[length];
    int at = 0;
    while (at < length) {
      int piece = 1 + random.nextInt(Math.min(length - at, 1 + random.nextInt(100_000)));
      in.require(piece);
      System.arraycopy(in.bytes, in.position, read, at, piece);
      in.position += piece;
      at += piece;
    }
    return read;
  }

  @Test
  public void whatIsNotReadOfAMessageIsSkipped() throws Exception {
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      ByteArrayOutputStream sent = new ByteArrayOutputStream();
      byte[] first = new byte[random.nextInt(100_000)];
      byte[] second = new byte[1 + random.nextInt(100)];
      random.nextBytes(second);
      message(sent, first, random, 30_000);
      message(sent, second, random, 10);
      CallFrameInput in =
          new CallFrameInput(
              new Arriving(sent.toByteArray(), random),
              Integer.MAX_VALUE,
              Ledgers.messages().open(() -> null, 0, reason -> false));
      in.awaitMessage();
      int some = first.length == 0 ? 0 : random.nextInt(first.length);
      readInPieces(in, some, random);
      in.awaitMessage();
      assertThat(readInPieces(in, second.length, random)).as("seed %d", seed).isEqualTo(second);
    }
  }

  @Test
  public void emptyFrameInsideAMessageEndsTheConnection() throws Exception {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    frame(sent, FrameHeader.CALL | FrameHeader.MORE, new byte[9], 0, 9);
    frame(sent, FrameHeader.CALL | FrameHeader.MORE, new byte[0], 0, 0);
    Arriving channel = new Arriving(sent.toByteArray(), new Random(1));
    CallFrameInput in =
        new CallFrameInput(
            channel, Integer.MAX_VALUE, Ledgers.messages().open(() -> null, 0, reason -> false));
    in.awaitMessage();
    assertThatThrownBy(() -> in.require(20))
        .isInstanceOf(ConnectionLostException.class)
        .hasStackTraceContaining("empty frame");
    assertThat(channel.closed).isTrue();
  }

  @Test
  public void manyTinyFramesBehindALongOneMoveNothingAgain() throws Exception {
    byte[] half = new byte[1 << 24 >> 1];
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    frame(sent, FrameHeader.CALL | FrameHeader.MORE, half, 0, half.length);
    int tiny = 100_000;
    for (int i = 0; i < tiny; i++) {
      frame(sent, FrameHeader.CALL | FrameHeader.MORE, new byte[1], 0, 1);
    }
    byte[] bytes = sent.toByteArray();
    long before = allocated();
    CallFrameInput in =
        new CallFrameInput(
            new Arriving(bytes, new Random(2)),
            Integer.MAX_VALUE,
            Ledgers.messages().open(() -> null, 0, reason -> false));
    in.awaitMessage();
    in.require(half.length + tiny);
    assertThat(in.position).as("nothing was read").isLessThanOrEqualTo(FrameHeader.HEADER_BYTES);
    assertThat(allocated() - before)
        .as("bytes allocated for a message of %d", half.length)
        .isLessThan(6L * half.length);
    byte[] all = Arrays.copyOfRange(in.bytes, in.position, in.limit);
    assertThat(all.length).isGreaterThanOrEqualTo(half.length + tiny);
  }

  /** What this thread has allocated so far. */
  private static long allocated() {
    return ((com.sun.management.ThreadMXBean)
            java.lang.management.ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }
}
