package io.karmi.connection.call;

import static io.karmi.connection.call.RecordedChannel.concat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import java.io.StreamCorruptedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Frames that say that a node ends. */
public class FarewellTest {
  private static final byte[] FAREWELL = {FrameHeader.GO_AWAY, 0, 0, 0};

  private final RecordedChannel channel = new RecordedChannel();

  @Test
  public void farewellIsHeardOnceWhereverAFrameMayBegin() throws Exception {
    byte[] begin = {FrameHeader.REPLY | FrameHeader.MORE, 2, 0, 0, 1, 2};
    byte[] rest = {FrameHeader.REPLY, 1, 0, 0, 3};
    byte[][] orders = {concat(FAREWELL, begin, rest), concat(begin, FAREWELL, rest)};
    for (byte[] order : orders) {
      for (int most : new int[] {1, 3, 100}) {
        RecordedChannel coming = RecordedChannel.of(order);
        coming.most = most;
        CallFrameInput reader = coming.reader();
        reader.expectFarewell();
        RecordedChannel.assertReadsReply(reader);
        assertThat(coming.farewells).isEqualTo(1);
      }
    }
  }

  @Test
  public void farewellIsHeardByTheCheckOfAnIdleConnection() throws Exception {
    channel.coming = FAREWELL;
    CallFrameInput idle = channel.reader();
    idle.expectFarewell();
    assertThat(idle.isSilent()).isFalse();
    assertThat(channel.farewells).isEqualTo(1);
  }

  @Test
  public void farewellThatWasNotAgreedOnOrComesTwiceOrWithABodyEndsTheConnection() {
    assertEndsConnection(false, FAREWELL);
    assertEndsConnection(true, concat(FAREWELL, FAREWELL));
    assertEndsConnection(true, new byte[] {FrameHeader.GO_AWAY, 1, 0, 0, 9});
    assertEndsConnection(true, new byte[] {FrameHeader.GO_AWAY | FrameHeader.MORE, 0, 0, 0});
  }

  private static void assertEndsConnection(boolean expected, byte[] bytes) {
    CallFrameInput reader = RecordedChannel.of(bytes).reader();
    if (expected) {
      reader.expectFarewell();
    }
    assertThatThrownBy(reader::awaitReply).isInstanceOf(ConnectionLostException.class);
  }

  @Test
  public void farewellIsSaidBetweenFramesAndNeverInsideOne() throws Exception {
    CallFrameOutput out = new CallFrameOutput(channel);
    out.share();
    FutureTask<Void> sending = channel.sendHeldReply(out);
    assertThat(out.sayFarewell()).as("while the reply is sent").isFalse();
    channel.held.countDown();
    sending.get(60, TimeUnit.SECONDS);
    assertThat(out.sayFarewell()).as("while no call is executed").isTrue();
    out.begin(FrameHeader.REPLY);
    assertThat(out.sayFarewell()).as("while a call is executed").isTrue();
    out.end();
    assertThat(channel.sent())
        .isEqualTo(
            concat(
                new byte[] {FrameHeader.REPLY, 1, 0, 0, 7},
                FAREWELL,
                FAREWELL,
                new byte[] {FrameHeader.REPLY, 0, 0, 0}));
  }

  @Test
  public void callThatComesWhileTheFarewellIsBeingSaidIsAnsweredAfterIt() throws Exception {
    CallFrameOutput out = new CallFrameOutput(channel);
    out.share();
    channel.held = new CountDownLatch(1);
    FutureTask<Boolean> saying = new FutureTask<>(out::sayFarewell);
    new Thread(saying).start();
    assertThat(channel.sending.await(60, TimeUnit.SECONDS)).isTrue();
    FutureTask<Void> replying =
        new FutureTask<>(
            () -> {
              out.begin(FrameHeader.REPLY);
              out.end();
              return null;
            });
    Thread replier = new Thread(replying);
    replier.start();
    Deadline.await("it waits", () -> replier.getState() == Thread.State.TIMED_WAITING);
    assertThat(channel.sent()).isEmpty();
    channel.held.countDown();
    assertThat(saying.get(60, TimeUnit.SECONDS)).isTrue();
    replying.get(60, TimeUnit.SECONDS);
    assertThat(channel.sent()).isEqualTo(concat(FAREWELL, new byte[] {FrameHeader.REPLY, 0, 0, 0}));
  }

  @Test
  public void connectionThatGivesWayEndsBetweenMessagesOnly() throws Exception {
    byte[] way = {FrameHeader.GIVES_WAY, 0, 0, 0};
    CallFrameInput reader = RecordedChannel.of(way).reader();
    reader.expectGivingWay();
    assertThat(reader.awaitReply()).isEqualTo(-1);
    assertThat(reader.hasGivenWay()).isTrue();
    byte[] begin = {FrameHeader.REPLY | FrameHeader.MORE, 2, 0, 0, 1, 2};
    CallFrameInput within = RecordedChannel.of(begin, way).reader();
    within.expectGivingWay();
    assertThat(within.awaitReply()).isEqualTo(FrameHeader.REPLY | FrameHeader.MORE);
    assertThatThrownBy(within::skipMessage).isInstanceOf(StreamCorruptedException.class);
    assertThat(within.hasGivenWay()).isFalse();
    assertEndsConnection(false, way);
    CallFrameInput longer =
        RecordedChannel.of(new byte[] {FrameHeader.GIVES_WAY, 1, 0, 0, 9}).reader();
    longer.expectGivingWay();
    assertThatThrownBy(longer::awaitReply).isInstanceOf(ConnectionLostException.class);
  }
}
