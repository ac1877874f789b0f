package io.karmi.connection.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.connection.guard.Patience;
import io.karmi.guard.Ledgers;
import io.karmi.kit.Deadline;
import io.karmi.technology.ConnectionSettings;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** Who keeps a node waiting, seen by a watchdog whose clock the test sets. */
public class PatienceTest {
  private static final long SECOND = 1_000_000_000L;
  private static final byte[] END = {};

  private final Blocking channel = new Blocking();
  private final CallFrameInput in =
      new CallFrameInput(
          channel, Long.MAX_VALUE, Ledgers.messages().open(() -> null, 0, reason -> false));
  private final CallFrameOutput out = new CallFrameOutput(channel);
  private final Patience patience = new Patience(in, out);
  private final ConnectionSettings settings =
      new ConnectionSettings(
          Map.of("karmi.readTimeout", "100000", "karmi.messageTimeout", "10000")::get);
  private long now = System.nanoTime();
  private Thread user;

  @After
  public void end() throws Exception {
    channel.come(END);
    if (user != null) {
      user.join(20_000);
    }
  }

  private String after(long seconds, boolean silent, boolean line) {
    now += seconds * SECOND;
    return patience.exceeded(now, silent, line, settings);
  }

  private void reading() throws Exception {
    user =
        new Thread(
            () -> {
              try {
                in.awaitMessage();
                in.require(1 << 20);
              } catch (IOException e) {
                // the test is over
              }
            });
    user.start();
    channel.awaitReads(1);
  }

  @Test
  public void silenceBetweenCallsMayTakeTheReadTimeout() throws Exception {
    reading();
    assertThat(after(1, false, false)).isNull();
    assertThat(after(99, false, false)).isNull();
    assertThat(after(2, false, false)).isEqualTo("karmi.readTimeout");
    assertThat(after(1000, true, false)).as("this end owes a reply").isNull();
  }

  @Test
  public void lineMayBeSilentLongerButNotForever() throws Exception {
    reading();
    assertThat(after(1, false, true)).isNull();
    assertThat(after(200, false, true)).isNull();
    assertThat(after(200, false, true)).isEqualTo("karmi.readTimeout");
  }

  @Test
  public void restOfAMessageMustComeSooner() throws Exception {
    reading();
    channel.come(new byte[] {FrameHeader.CALL, 0, 0, 16, 1, 2});
    channel.awaitReads(2);
    assertThat(after(1, true, true)).isNull();
    assertThat(after(9, true, true)).isNull();
    assertThat(after(2, true, true)).isEqualTo("karmi.messageTimeout");
  }

  @Test
  public void byteNowAndThenIsNotEnough() throws Exception {
    reading();
    channel.come(new byte[] {FrameHeader.CALL, 0, 0, 16, 1, 2});
    channel.awaitReads(2);
    String exceeded = null;
    int seconds = 0;
    for (int reads = 3; exceeded == null && seconds < 100; reads++) {
      exceeded = after(5, false, false);
      seconds += 5;
      channel.come(new byte[1]);
      channel.awaitReads(reads);
    }
    assertThat(exceeded).isEqualTo("karmi.messageTimeout");
    assertThat(seconds).isLessThan(30);
  }

  @Test
  public void longMessageMayTakeItsTime() throws Exception {
    reading();
    channel.come(new byte[] {FrameHeader.CALL, 0, 0, 16, 1, 2});
    channel.awaitReads(2);
    for (int reads = 3; reads < 13; reads++) {
      assertThat(after(8, false, false)).isNull();
      channel.come(new byte[64 * 1024]);
      channel.awaitReads(reads);
    }
  }

  @Test
  public void whoTakesNothingOfAReplyIsNotWaitedFor() throws Exception {
    channel.full = true;
    user =
        new Thread(
            () -> {
              try {
                out.begin(FrameHeader.REPLY);
                out.end();
              } catch (ConnectionLostException e) {
                throw new AssertionError(e);
              }
            });
    user.start();
    channel.awaitSends(1);
    assertThat(after(1, false, false)).isNull();
    assertThat(after(59, false, false)).isNull();
    assertThat(after(2, false, false)).isEqualTo("karmi.writeTimeout");
  }

  /** Gives what the test lets come, and takes what it may. */
  private static final class Blocking extends ChannelOfTest {
    private final BlockingQueue<byte[]> coming = new LinkedBlockingQueue<>();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger sends = new AtomicInteger();
    volatile boolean full;
    private byte[] rest = END;

    void come(byte[] bytes) {
      coming.add(bytes);
    }

    void awaitReads(int count) throws InterruptedException {
      Deadline.await("it reads", () -> reads.get() >= count);
    }

    void awaitSends(int count) throws InterruptedException {
      Deadline.await("it sends", () -> sends.get() >= count);
    }

    @Override
    public int receive(byte[] to, int offset, int length) throws IOException {
      if (rest.length == 0) {
        reads.incrementAndGet();
        rest = take();
      }
      if (rest.length == 0) {
        return -1;
      }
      int count = Math.min(length, rest.length);
      System.arraycopy(rest, 0, to, offset, count);
      rest = java.util.Arrays.copyOfRange(rest, count, rest.length);
      return count;
    }

    private byte[] take() throws IOException {
      try {
        return coming.take();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void send(byte[] from, int offset, int length) throws IOException {
      sends.incrementAndGet();
      if (full) {
        take();
      }
    }
  }
}
