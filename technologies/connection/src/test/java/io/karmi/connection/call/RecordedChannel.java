package io.karmi.connection.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.guard.Ledgers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Keeps what is sent; gives what the test has, and then waits for the end. */
final class RecordedChannel extends ChannelOfTest {
  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  final CountDownLatch sending = new CountDownLatch(1);
  final CountDownLatch end = new CountDownLatch(1);
  volatile CountDownLatch held = new CountDownLatch(0);
  byte[] coming = {};
  int at;
  int most = Integer.MAX_VALUE;

  /** How often the other end was heard to end. */
  int farewells;

  /** A channel on which these bytes come, and then the end. */
  static RecordedChannel of(byte[]... coming) {
    RecordedChannel channel = new RecordedChannel();
    channel.coming = concat(coming);
    channel.end.countDown();
    return channel;
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** A reader of what comes. */
  CallFrameInput reader() {
    return new CallFrameInput(
        this, Long.MAX_VALUE, Ledgers.messages().open(() -> null, 0, reason -> false));
  }

  synchronized byte[] sent() {
    return sent.toByteArray();
  }

  @Override
  public int receive(byte[] to, int offset, int length) throws IOException {
    int count = Math.min(Math.min(length, most), coming.length - at);
    System.arraycopy(coming, at, to, offset, count);
    at += count;
    if (count == 0) {
      await(end);
      return -1;
    }
    return count;
  }

  @Override
  public void send(byte[] from, int offset, int length) throws IOException {
    sending.countDown();
    await(held);
    synchronized (this) {
      sent.write(from, offset, length);
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new IOException("the test has forgotten this channel");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Reads a reply of the bytes 1, 2 and 3 in two frames, up to its end. */
  static void assertReadsReply(CallFrameInput reader) throws IOException {
    assertThat(reader.awaitReply()).isEqualTo(FrameHeader.REPLY | FrameHeader.MORE);
    for (byte i = 1; i <= 3; i++) {
      assertThat(reader.readByte()).isEqualTo(i);
    }
    assertThat(reader.isAtEnd()).isTrue();
  }

  /** Sends a reply of one byte in a thread of its own, which {@link #held} holds. */
  FutureTask<Void> sendHeldReply(CallFrameOutput out) throws Exception {
    out.begin(FrameHeader.REPLY);
    held = new CountDownLatch(1);
    FutureTask<Void> sent =
        new FutureTask<>(
            () -> {
              out.writeByte(7);
              out.end();
              return null;
            });
    new Thread(sent).start();
    assertThat(sending.await(60, TimeUnit.SECONDS)).isTrue();
    return sent;
  }

  @Override
  public void peerEnds() {
    farewells++;
  }
}
