package io.karmi.uka.engine.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

/** Room for a message by the one before it. */
public class MessageSizeTest {
  private final MessageSize size = new MessageSize();

  @Test
  public void nothingIsExpectedBeforeTheFirstMessage() {
    assertThat(size.bytes()).isZero();
    assertThat(size.objects()).isZero();
  }

  @Test
  public void itGrowsAtOnce() {
    size.note(100, 5);
    size.note(1000, 30);
    assertThat(size.bytes()).isBetween(1000, 1200);
    assertThat(size.objects()).isBetween(30, 37);
  }

  @Test
  public void itShrinksWhenAMessageIsMuchSmaller() {
    size.note(60_000, 2000);
    size.note(100, 5);
    assertThat(size.bytes()).isBetween(100, 200);
    assertThat(size.objects()).isBetween(5, 12);
  }

  @Test
  public void messagesOfSimilarSizeChangeNothing() {
    for (int bytes : new int[] {10, 100, 1000, 10_000}) {
      size.note(bytes, bytes / 10 + 1);
      int before = size.bytes();
      int objects = size.objects();
      size.note(bytes * 9 / 10, bytes / 12 + 1);
      assertThat(size.bytes()).isEqualTo(before);
      assertThat(size.objects()).isEqualTo(objects);
    }
  }

  @Test
  public void whatIsDeliveredPieceByPieceChangesNothing() {
    size.note(60_000, 2000);
    int before = size.bytes();
    size.note(-50_000, 4000);
    assertThat(size.bytes()).isEqualTo(before);
  }
}
