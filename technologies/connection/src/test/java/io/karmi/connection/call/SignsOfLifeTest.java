package io.karmi.connection.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.connection.guard.SignsOfLife;
import io.karmi.kit.Deadline;
import java.io.IOException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** Frames that say that a call is still executed, and looks at a clock that the test sets. */
public class SignsOfLifeTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int LOOKS_PER_SECOND = 4;
  private static final byte[] SIGN = {FrameHeader.ALIVE, 0, 0, 0};

  private final RecordedChannel channel = new RecordedChannel();
  private final CallFrameInput in = channel.reader();
  private final CallFrameOutput out = new CallFrameOutput(channel);
  private final SignsOfLife signs = new SignsOfLife(in, out, 30_000, 9_000);
  private long now = System.nanoTime();

  /** How often one of the looks of some seconds said that a sign is due; it is given then. */
  private int dueIn(int seconds, long served) throws IOException {
    int due = 0;
    for (int i = 0; i < seconds * LOOKS_PER_SECOND; i++) {
      now += SECOND / LOOKS_PER_SECOND;
      if (signs.isDue(now, served, false)) {
        due++;
        out.giveSign();
      }
    }
    return due;
  }

  @Test
  public void signsAreDueThreeTimesInTheTimeThatIsAskedForWhileACallIsExecuted() throws Exception {
    out.share();
    assertThat(dueIn(60, 0)).as("idle").isZero();
    out.begin(FrameHeader.REPLY);
    assertThat(dueIn(28, 1)).isEqualTo(8);
    assertThat(channel.sent()).hasSize(8 * SIGN.length).startsWith(SIGN);
    out.end();
    assertThat(dueIn(60, 1)).as("after the reply").isZero();
  }

  @Test
  public void shortCallsBringNoSigns() throws Exception {
    out.share();
    for (int call = 1; call < 20; call++) {
      out.begin(FrameHeader.REPLY);
      assertThat(dueIn(2, call)).isZero();
      out.end();
    }
  }

  @Test
  public void peerThatHasNotAskedForSignsGetsNone() throws Exception {
    out.begin(FrameHeader.REPLY);
    out.giveSign();
    assertThat(dueIn(60, 1)).isZero();
    assertThat(channel.sent()).isEmpty();
  }

  @Test
  public void signIsGivenBetweenFramesAndNeverInsideOne() throws Exception {
    out.share();
    FutureTask<Void> sending = channel.sendHeldReply(out);
    out.giveSign();
    channel.held.countDown();
    sending.get(60, TimeUnit.SECONDS);
    out.giveSign();
    assertThat(channel.sent()).containsExactly(FrameHeader.REPLY, 1, 0, 0, 7);
  }

  @Test
  public void silenceCountsOnlyWhileACallWaitsAndThisProcessRuns() throws Exception {
    FutureTask<Integer> reading = new FutureTask<>(in::awaitMessage);
    new Thread(reading).start();
    Deadline.await("it reads", () -> (in.progress() & 1) == 1);
    assertThat(silentIn(100, false)).as("no call waits").isFalse();
    assertThat(silentIn(29, true)).isFalse();
    now += 3600 * SECOND;
    assertThat(signs.isSilentTooLong(now, true)).as("this process was stopped").isFalse();
    assertThat(silentIn(2, true)).isTrue();
    channel.end.countDown();
    assertThat(reading.get(60, TimeUnit.SECONDS)).isEqualTo(-1);
  }

  private boolean silentIn(int seconds, boolean waits) {
    boolean silent = false;
    for (int i = 0; i < seconds * LOOKS_PER_SECOND; i++) {
      now += SECOND / LOOKS_PER_SECOND;
      silent |= signs.isSilentTooLong(now, waits);
    }
    return silent;
  }

  @Test
  public void signsAreSkippedWhereverAFrameMayBegin() throws Exception {
    byte[] begin = {FrameHeader.REPLY | FrameHeader.MORE, 2, 0, 0, 1, 2};
    byte[] rest = {FrameHeader.REPLY, 1, 0, 0, 3};
    for (int most : new int[] {1, 3, 100}) {
      RecordedChannel coming = RecordedChannel.of(SIGN, SIGN, begin, SIGN, rest, SIGN);
      coming.most = most;
      CallFrameInput reader = coming.reader();
      reader.expectSigns();
      RecordedChannel.assertReadsReply(reader);
      assertThat(reader.awaitReply()).as("signs only, then the end").isEqualTo(-1);
    }
  }

  @Test
  public void signsThatWereNotAgreedOnOrComeOtherwiseEndTheConnection() {
    assertThatThrownBy(RecordedChannel.of(SIGN).reader()::awaitReply)
        .isInstanceOf(ConnectionLostException.class);
    CallFrameInput idle = RecordedChannel.of(SIGN).reader();
    idle.expectSigns();
    assertThatThrownBy(idle::awaitMessage)
        .as("no call of this end is executed")
        .isInstanceOf(ConnectionLostException.class);
    CallFrameInput reader = RecordedChannel.of(new byte[] {FrameHeader.ALIVE, 1, 0, 0, 9}).reader();
    reader.expectSigns();
    assertThatThrownBy(reader::awaitReply)
        .isInstanceOf(ConnectionLostException.class)
        .hasMessageContaining("sign of life with a body of 1 bytes");
  }
}
