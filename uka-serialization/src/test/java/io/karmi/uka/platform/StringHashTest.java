package io.karmi.uka.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.Test;

public class StringHashTest {
  /** Longer than what is hashed eight bytes at a time. */
  private static final int LENGTHS = 140;

  @Test
  public void equalStringsHaveEqualHashes() {
    for (int length = 0; length < LENGTHS; length++) {
      for (String character : List.of("x", "\u00e4", "\u0416")) {
        String text = character.repeat(length);
        assertThat(StringHash.of(new String(text.toCharArray()))).isEqualTo(StringHash.of(text));
      }
    }
  }

  @Test
  public void everyBitOfEveryCharacterCounts() {
    Random random = new Random(27);
    for (int length = 1; length < LENGTHS; length++) {
      char[] characters = new char[length];
      for (int i = 0; i < length; i++) {
        characters[i] = (char) random.nextInt(0x100);
      }
      int hash = StringHash.of(new String(characters));
      for (int i = 0; i < length; i++) {
        for (int bit = 1; bit < 0x100; bit <<= 1) {
          characters[i] ^= (char) bit;
          assertThat(StringHash.of(new String(characters)))
              .as("%d of %d, bit %x", i, length, bit)
              .isNotEqualTo(hash);
          characters[i] ^= (char) bit;
        }
      }
    }
  }

  @Test
  public void namesWithNumbersAreSpreadAsIfByChance() {
    List<String> forms =
        List.of(
            "%d",
            "k%04d", "key %d", "element number %08d", "/customers/%d/orders/open", "\u0416%d");
    for (String form : forms) {
      Set<Integer> hashes = new HashSet<>();
      int[] slots = new int[1 << 12];
      for (int i = 0; i < 2_000; i++) {
        int hash = StringHash.of(String.format(form, i));
        hashes.add(hash);
        slots[hash & slots.length - 1]++;
      }
      assertThat(hashes).as(form).hasSizeGreaterThan(1_995);
      assertThat(Arrays.stream(slots).max().getAsInt()).as(form).isLessThan(9);
    }
  }
}
