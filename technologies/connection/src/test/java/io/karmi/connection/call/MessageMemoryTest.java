package io.karmi.connection.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.guard.Ledger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.Test;

/** What messages hold that have not come whole is taken of a budget, and given back. */
public class MessageMemoryTest {
  private static final int MEGABYTE = 1 << 20;
  private static final int FRAME_BYTES = 1 << 16;
  private static final int SECOND_BYTES = 10;

  private final Ledger ledger =
      new Ledger("karmi.maxUnfinishedBytes", 4 * MEGABYTE, Ledger.Weakest.NONE);
  private final Ledger.Account account = ledger.open(() -> null, 0, reason -> false);
  private final List<Object> made = new ArrayList<>();

  /** The most bytes of an array that were not counted while something was awaited for it. */
  private long uncounted;

  /** Whether the connection ends after some bytes. */
  private boolean lost;

  private CallFrameInput reading(int firstBytes) throws IOException {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    for (int left = firstBytes; left > 0; left -= FRAME_BYTES) {
      int length = Math.min(left, FRAME_BYTES);
      int kind = left > length ? FrameHeader.CALL | FrameHeader.MORE : FrameHeader.CALL;
      frame(sent, kind, length);
    }
    frame(sent, FrameHeader.CALL, SECOND_BYTES);
    return new CallFrameInput(new Sent(sent.toByteArray()), Integer.MAX_VALUE, account);
  }

  private static void frame(ByteArrayOutputStream to, int kind, int length) {
    byte[] header = new byte[FrameHeader.HEADER_BYTES];
    FrameHeader.putHeader(header, 0, kind, length);
    to.writeBytes(header);
    to.writeBytes(new byte[length]);
  }

  /** Reads some bytes, and makes as many times more of them. */
  private void read(CallFrameInput in, int bytes, int times) throws IOException {
    for (int read = 0; read < bytes; read += 1024) {
      in.require(1024);
      in.position += 1024;
      made.add(new byte[1024 * times]);
    }
  }

  private void assertNextIsRead(CallFrameInput in) throws IOException {
    assertThat(in.awaitMessage()).isEqualTo(FrameHeader.CALL);
    assertThat(ledger.taken()).isZero();
    in.require(SECOND_BYTES);
    in.position += SECOND_BYTES;
    assertThat(in.isAtEnd()).isTrue();
  }

  @Test
  public void messageThatMakesTooMuchIsRefusedAndTheNextOneRead() throws Exception {
    CallFrameInput in = reading(8 * MEGABYTE);
    in.awaitMessage();
    assertThatThrownBy(() -> read(in, 2 * MEGABYTE, 30))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(ConnectionLostException.class)
        .hasMessageContaining("a message of nowhere is refused")
        .hasMessageContaining("of 4194304 bytes (karmi.maxUnfinishedBytes)");
    assertThat(ledger.taken()).as("given back at once").isZero();
    assertThatThrownBy(() -> in.require(1)).hasMessageContaining("karmi.maxUnfinishedBytes");
    assertNextIsRead(in);
  }

  @Test
  public void longMessageOfWhichLittleIsKeptIsRead() throws Exception {
    CallFrameInput in = reading(2 * MEGABYTE);
    in.awaitMessage();
    read(in, 2 * MEGABYTE, 1);
    assertThat(ledger.taken()).isBetween(2L * MEGABYTE, 3L * MEGABYTE);
    in.endReading();
    assertThat(ledger.taken()).as("its objects are in use").isGreaterThan(2L * MEGABYTE);
    account.forgo();
    assertThat(ledger.taken()).isZero();
    in.keep();
    assertThat(ledger.taken()).as("a reply refers to them").isGreaterThan(2L * MEGABYTE);
    in.letGo();
    assertThat(ledger.taken()).isZero();
    assertNextIsRead(in);
  }

  @Test
  public void messageThatIsNotReadToItsEndGivesBack() throws Exception {
    CallFrameInput in = reading(2 * MEGABYTE);
    in.awaitMessage();
    read(in, MEGABYTE, 1);
    assertThat(ledger.taken()).isPositive();
    in.skipMessage();
    assertThat(ledger.taken()).isZero();
    assertNextIsRead(in);
  }

  @Test
  public void messageThatIsGivenUpGivesBack() throws Exception {
    CallFrameInput in = reading(2 * MEGABYTE);
    in.awaitMessage();
    read(in, MEGABYTE, 1);
    in.giveUpMessage();
    assertThat(ledger.taken()).isZero();
    assertNextIsRead(in);
  }

  @Test
  public void closedConnectionGivesBackAndTakesNothingMore() throws Exception {
    CallFrameInput in = reading(2 * MEGABYTE);
    in.awaitMessage();
    read(in, MEGABYTE, 1);
    account.close();
    assertThat(ledger.taken()).isZero();
    assertThatThrownBy(() -> read(in, MEGABYTE, 1)).hasMessageContaining("is closed");
    assertThat(ledger.taken()).isZero();
  }

  @Test
  public void arrayIsCountedBeforeItsRestIsAwaited() throws Exception {
    CallFrameInput in = reading(2 * MEGABYTE);
    in.awaitMessage();
    in.require(2 * MEGABYTE);
    assertThat(uncounted).isLessThan(2 * FRAME_BYTES);
    assertThat(ledger.taken()).as("the arrays before are given back").isLessThan(5L << 19);
  }

  @Test
  public void lostMessageKeepsNothing() throws Exception {
    CallFrameInput in = reading(2 * MEGABYTE);
    in.awaitMessage();
    lost = true;
    assertThatThrownBy(() -> in.require(MEGABYTE)).isInstanceOf(ConnectionLostException.class);
    assertThat(in.bytes.length).isLessThan(FRAME_BYTES);
    assertThat(ledger.taken()).isZero();
  }

  @Test
  public void messagesShareTheBudget() throws Exception {
    CallFrameInput one = reading(4 * MEGABYTE);
    CallFrameInput other = reading(4 * MEGABYTE);
    one.awaitMessage();
    other.awaitMessage();
    read(one, 2 * MEGABYTE, 1);
    Callable<Void> readsOther =
        () -> {
          read(other, 3 * MEGABYTE, 1);
          return null;
        };
    FutureTask<Void> inItsOwnThread = new FutureTask<>(readsOther);
    Thread thread = new Thread(inItsOwnThread);
    thread.start();
    thread.join();
    assertThatThrownBy(inItsOwnThread::get).hasMessageContaining("karmi.maxUnfinishedBytes");
    read(one, MEGABYTE / 2, 1);
    assertNextIsRead(one);
    assertNextIsRead(other);
  }

  @Test
  public void shortMessageIsReadWithoutAnyBudget() throws Exception {
    ledger.take(null, 4 * MEGABYTE);
    CallFrameInput in = reading(30_000);
    in.awaitMessage();
    in.require(30_000);
    in.position += 30_000;
    assertThat(in.isAtEnd()).isTrue();
    assertThat(ledger.taken()).isEqualTo(4 * MEGABYTE);
  }

  /** A channel over which everything has been sent. */
  private final class Sent extends ChannelOfTest {
    private final byte[] bytes;
    private int at;

    Sent(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int receive(byte[] to, int offset, int length) {
      uncounted = Math.max(uncounted, to.length - ledger.taken());
      int most = lost ? MEGABYTE / 2 : bytes.length;
      int count = Math.min(length, most - at);
      System.arraycopy(bytes, at, to, offset, count);
      at += count;
      return count == 0 ? -1 : count;
    }

    @Override
    public void send(byte[] from, int offset, int length) {}
  }
}
