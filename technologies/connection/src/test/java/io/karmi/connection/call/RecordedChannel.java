package io.karmi.connection.call;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
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

  @Override
  public void peerEnds() {
    farewells++;
  }
}
