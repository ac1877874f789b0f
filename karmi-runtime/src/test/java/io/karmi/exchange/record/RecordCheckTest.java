package io.karmi.exchange.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.GroupAddress;
import java.io.EOFException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.Test;

public class RecordCheckTest {
  private static final long SPACE = 42;
  private static final GroupAddress GROUP = new GroupAddress(1, 2, 3);
  private static final GroupAddress OTHER = new GroupAddress(4, 5, 6);
  private static final int BODY_BYTES = 200;

  private final byte[] record = record();

  private static byte[] record() {
    byte[] body = new byte[BODY_BYTES];
    new Random(1).nextBytes(body);
    ByteBuffer named =
        ByteBuffer.allocate(GroupHeader.ADDRESS_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    GroupHeader.put(named, OTHER);
    CRC32C crc = new CRC32C();
    crc.update(body);
    crc.update(named.array());
    byte[] header = new GroupHeader(0, SPACE, GROUP, BODY_BYTES, 1, 0).sealed(crc).bytes();
    return ByteBuffer.allocate(header.length + BODY_BYTES + GroupHeader.ADDRESS_BYTES)
        .put(header)
        .put(body)
        .put(named.array())
        .array();
  }

  private static RecordCheck.Whole check(byte[] bytes, int pieceBytes) throws Exception {
    RecordCheck check = new RecordCheck(SPACE, GROUP);
    for (int from = 0; from < bytes.length; from += pieceBytes) {
      int length = Math.min(pieceBytes, bytes.length - from);
      ByteBuffer piece = ByteBuffer.wrap(bytes, from, length);
      check.take(piece);
      assertThat(piece.remaining()).isEqualTo(length);
    }
    return check.finish();
  }

  @Test
  public void recordsAreWholeInPiecesOfAnySize() throws Exception {
    for (int pieceBytes = 1; pieceBytes <= record.length; pieceBytes++) {
      RecordCheck.Whole whole = check(record, pieceBytes);
      assertThat(whole.header().recordBytes()).isEqualTo(record.length);
      assertThat(whole.refersTo()).containsExactly(OTHER);
    }
  }

  @Test
  public void eachBitThatIsAnotherOneIsNoticed() {
    for (int bit = 0; bit < 8 * record.length; bit++) {
      byte[] damaged = record.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> check(damaged, 64))
          .as("bit " + bit)
          .isInstanceOfAny(StreamCorruptedException.class, EOFException.class);
    }
  }

  @Test
  public void recordsThatEndEarlyOrLateAreRefused() {
    for (int length = 0; length < record.length; length++) {
      byte[] cut = Arrays.copyOf(record, length);
      assertThatThrownBy(() -> check(cut, 50)).isInstanceOf(EOFException.class);
    }
    assertThatThrownBy(() -> check(Arrays.copyOf(record, record.length + 1), 50))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("behind its end");
  }
}
