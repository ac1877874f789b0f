package io.karmi.uka.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.Test;

/** Copies of few bytes are those of {@code System.arraycopy}, and test each byte. */
public class ShortCopyTest {
  private static final int POSITION = 5;
  private static final long HIGH_BITS = 0x8080808080808080L;

  private static byte[] ascii(int length) {
    byte[] bytes = new byte[length];
    Random random = new Random(length);
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (1 + random.nextInt(0x7F));
    }
    return bytes;
  }

  private static byte[] expected(byte[] bytes, byte[] into) {
    byte[] copied = into.clone();
    System.arraycopy(bytes, 0, copied, POSITION, bytes.length);
    return copied;
  }

  @Test
  public void arraysOfEachLengthAreCopiedAndNothingBesideThem() {
    for (int length = 0; length <= ShortCopy.LONGEST; length++) {
      byte[] bytes = ascii(length);
      byte[] into = new byte[length + 2 * POSITION];
      Arrays.fill(into, (byte) 0x55);
      byte[] expected = expected(bytes, into);
      byte[] tested = into.clone();
      ShortCopy.copy(bytes, into, POSITION);
      ShortCopy.copyAndTest(bytes, tested, POSITION);
      assertThat(into).as("length %d", length).isEqualTo(expected);
      assertThat(tested).as("length %d", length).isEqualTo(expected);
    }
  }

  @Test
  public void aSingleByteThatIsNoAsciiIsFoundWhereverItIs() {
    for (int length = 0; length <= ShortCopy.LONGEST; length++) {
      byte[] bytes = ascii(length);
      byte[] into = new byte[length + 2 * POSITION];
      assertThat(ShortCopy.copyAndTest(bytes, into, POSITION) & HIGH_BITS).isZero();
      for (int i = 0; i < length; i++) {
        for (byte other : new byte[] {0, (byte) 0x80, (byte) 0xFF}) {
          byte[] changed = bytes.clone();
          changed[i] = other;
          assertThat(ShortCopy.copyAndTest(changed, into, POSITION) & HIGH_BITS)
              .as("%d at %d of %d", other, i, length)
              .isNotZero();
        }
      }
    }
  }
}
