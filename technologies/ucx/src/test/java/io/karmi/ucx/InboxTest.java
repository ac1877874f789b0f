package io.karmi.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

/** The memory that a peer can fill, and the order in which it is read. */
public class InboxTest {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  private Fabric fabric;
  private Inbox inbox;

  @Before
  public void open() throws Exception {
    Open.assumeInstalled();
    fabric = Fabric.acquire();
    inbox = new Inbox(fabric);
  }

  @After
  public void close() {
    if (fabric != null) {
      inbox.close();
      inbox.release();
      fabric.release();
    }
  }

  private static ByteBuffer bytes(int first, int count) {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    for (int i = 0; i < count; i++) {
      bytes.put((byte) (first + i));
    }
    return bytes.flip();
  }

  @Test
  public void unreadBytesAreNoMoreThanWasAllowed() {
    int piece = Inbox.WINDOW / 8;
    for (int i = 0; i < 8; i++) {
      inbox.arrived(bytes(0, piece));
    }
    assertThat(inbox.violation()).isNull();
    inbox.arrived(bytes(0, 1));
    assertThat(inbox.violation()).isEqualTo("1 bytes, and 0 were allowed");
  }

  @Test
  public void whatWasReadIsAllowedAgainOnceItIsTold() {
    byte[] read = new byte[Inbox.WINDOW];
    inbox.arrived(bytes(0, Inbox.WINDOW));
    assertThat(inbox.read(read, 0, Inbox.WINDOW / 2)).isEqualTo(Inbox.WINDOW / 2);
    assertThat(inbox.isAllowanceDue()).isTrue();
    assertThat(inbox.takeBytesToAllow()).isEqualTo(Inbox.WINDOW / 2);
    inbox.arrived(bytes(0, Inbox.WINDOW / 2));
    assertThat(inbox.violation()).isNull();
    inbox.arrived(bytes(0, 1));
    assertThat(inbox.violation()).isNotNull();
  }

  @Test
  public void bytesAreReadInOrderHoweverTheyCome() {
    int sent = 0;
    int expected = 0;
    byte[] read = new byte[5000];
    for (int round = 0; round < 1000; round++) {
      int count = 1 + round * 37 % 3000;
      inbox.arrived(bytes(sent, count));
      sent += count;
      int got = inbox.read(read, 0, 1 + round * 53 % 3500);
      for (int i = 0; i < got; i++) {
        assertThat(read[i]).isEqualTo((byte) expected++);
      }
      inbox.takeBytesToAllow();
    }
    assertThat(inbox.violation()).isNull();
  }

  @Test
  public void memoryForPiecesIsPreparedForLargeArraysOnly() {
    byte[] read = new byte[Inbox.WINDOW];
    for (int i = 0; i < 1000; i++) {
      inbox.arrived(bytes(0, 1000));
      inbox.read(read, 0, read.length);
      inbox.isAllowanceDue();
      assertThat(inbox.takePiecesToAllow()).isZero();
      inbox.takeBytesToAllow();
    }
    inbox.arrived(bytes(0, Inbox.WINDOW / 2));
    assertThat(inbox.isAllowanceDue()).isTrue();
    assertThat(inbox.takePiecesToAllow()).isEqualTo(Inbox.PIECES);
  }
}
