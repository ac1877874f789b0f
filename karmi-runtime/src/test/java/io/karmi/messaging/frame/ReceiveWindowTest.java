package io.karmi.messaging.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.guard.Ledger;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class ReceiveWindowTest {
  private static final int LEAST = 512 * 1024;
  private static final int PART = MessageFrame.PART_BYTES;

  /** The share of a heap of 128 MB. */
  private final Ledger share = new Ledger("a share", (128 << 20) / 32, Ledger.Weakest.NONE);

  private ReceiveWindow window(String host, boolean mayGrow) {
    return new ReceiveWindow(LEAST, mayGrow, share.open(() -> host, 0, reason -> false));
  }

  /** So many bytes of parts come, and are processed and told. */
  private static void parts(ReceiveWindow window, long bytes) throws StreamCorruptedException {
    for (long left = bytes; left > 0; left -= PART) {
      window.come(PART);
      window.grow(PART);
      window.processed(PART, true, true, false);
    }
  }

  @Test
  public void windowDoublesWithEachWindowOfPartsUpToEightTimes() throws Exception {
    ReceiveWindow window = window("a", true);
    List<Long> lengths = new ArrayList<>();
    for (long expected = LEAST; expected < 8 * LEAST; expected *= 2) {
      lengths.add(window.bytes());
      parts(window, window.bytes() - PART);
      assertThat(window.bytes()).isEqualTo(expected);
      parts(window, PART);
    }
    assertThat(lengths).containsExactly((long) LEAST, 2L * LEAST, 4L * LEAST);
    parts(window, 100L * LEAST);
    assertThat(window.bytes()).isEqualTo(8 * LEAST);
    assertThat(share.taken()).isEqualTo(7 * LEAST);
  }

  /** Whether the other end is told when these bytes have come, and all is processed. */
  private static boolean isTold(ReceiveWindow window, int bytes) throws StreamCorruptedException {
    window.come(bytes);
    return window.processed(bytes, false, false, false);
  }

  @Test
  public void longerWindowIsToldOfInLongerStepsAndItsSenderKnows() throws Exception {
    ReceiveWindow window = window("a", true);
    assertThat(isTold(window, LEAST / 16)).isTrue();
    parts(window, LEAST);
    assertThat(window.bytes()).isEqualTo(2 * LEAST);
    assertThat(isTold(window, LEAST / 16)).isFalse();
    assertThat(isTold(window, LEAST / 16)).isTrue();
    SendWindow sender = new SendWindow(LEAST);
    sender.grant(LEAST);
    sender.handOver(LEAST / 16);
    assertThat(sender.isReceiverBusy()).as("no credit comes yet").isFalse();
    sender.handOver(LEAST / 8);
    assertThat(sender.isReceiverBusy()).as("a credit comes").isTrue();
  }

  @Test
  public void windowOfAnOlderNodeStaysAsItIs() throws Exception {
    ReceiveWindow window = window("a", false);
    parts(window, 100L * LEAST);
    assertThat(window.bytes()).isEqualTo(LEAST);
  }

  @Test
  public void windowsOfTwoHundredLinksStayWithinTheirShare() throws Exception {
    List<ReceiveWindow> windows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      windows.add(window("host " + i % 20, true));
    }
    for (int round = 0; round < 10; round++) {
      for (ReceiveWindow each : windows) {
        parts(each, 2L * LEAST);
      }
    }
    long longer = windows.stream().mapToLong(each -> each.bytes() - LEAST).sum();
    assertThat(longer).isEqualTo(share.taken()).isBetween(share.most() / 2, share.most());
    for (ReceiveWindow each : windows) {
      if (each.bytes() > LEAST) {
        each.giveBack(each.bytes() - LEAST);
      }
    }
    assertThat(share.taken()).isZero();
    parts(windows.get(199), 100L * LEAST);
    assertThat(windows.get(199).bytes()).as("there is room again").isGreaterThan(LEAST);
  }

  @Test
  public void oneHostLeavesRoomForOthers() throws Exception {
    parts(window("greedy", true), 100L * LEAST);
    parts(window("greedy", true), 100L * LEAST);
    ReceiveWindow other = window("other", true);
    parts(other, 100L * LEAST);
    assertThat(other.bytes()).isGreaterThan(LEAST);
  }

  @Test
  public void peerMayNotHaveMoreUnderWayThanItsWindow() throws Exception {
    ReceiveWindow window = window("a", true);
    parts(window, LEAST);
    assertThat(window.bytes()).isEqualTo(2 * LEAST);
    window.come(2 * LEAST + SendWindow.FRAMING_BYTES);
    assertThatThrownBy(() -> window.come(8))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("more than the window of " + 2 * LEAST);
  }

  @Test
  public void peerMayNotGiveBackWhatItHasNotOrUses() throws Exception {
    ReceiveWindow window = window("a", true);
    for (long wrong : new long[] {1, LEAST, Long.MAX_VALUE, Long.MIN_VALUE, -1, 0}) {
      assertThatThrownBy(() -> window.giveBack(wrong)).isInstanceOf(StreamCorruptedException.class);
    }
    parts(window, LEAST);
    window.come(LEAST + SendWindow.FRAMING_BYTES + 8);
    assertThatThrownBy(() -> window.giveBack(LEAST)).isInstanceOf(StreamCorruptedException.class);
    assertThat(share.taken()).as("still counted").isEqualTo(LEAST);
    window.processed(16, true, false, false);
    window.giveBack(LEAST);
    assertThat(share.taken()).isZero();
  }
}
