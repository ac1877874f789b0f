package io.karmi.uka.format.uka;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.codec.PlatformCodecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/** What is taken at a glance is what the general way would read, or is left where it is. */
public class UkaFormatReaderTest {
  private static final int SHORT = UkaTokens.SHORT_STRING;

  private static InputBuffer buffer(int... bytes) {
    byte[] array = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      array[i] = (byte) bytes[i];
    }
    return new InputBuffer(array, 0, array.length);
  }

  @Test
  public void knownConstantsAreTakenByTheirNumber() {
    TimeUnit[] known = {TimeUnit.DAYS, null, TimeUnit.HOURS};
    InputBuffer in = buffer(4, 0, 2, 4);
    UkaFormatReader reader = new UkaFormatReader(in, PlatformCodecs.DESCRIPTIONS);
    assertThat(reader.takeConstant(known)).isSameAs(TimeUnit.HOURS);
    assertThat(reader.takeConstant(known)).isSameAs(TimeUnit.DAYS);
    assertThat(reader.takeConstant(known)).as("not known yet").isNull();
    assertThat(in.position).isEqualTo(2);
  }

  @Test
  public void constantsWithANameALongNumberOrNoBytesAreNotTaken() {
    TimeUnit[] known = TimeUnit.values();
    for (InputBuffer in : List.of(buffer(1, 2, 'A'), buffer(0x84, 0), buffer(126), buffer())) {
      assertThat(new UkaFormatReader(in, PlatformCodecs.DESCRIPTIONS).takeConstant(known)).isNull();
      assertThat(in.position).isZero();
    }
  }

  @Test
  public void stringsAreTakenTogetherAsOneByOne() throws IOException {
    int[][] messages = {
      {SHORT + 1, 'a', SHORT, SHORT + 2, 'b', 0xE9, SHORT + 1, 'c', UkaTokens.NULL},
      {SHORT + 1, 'a', UkaTokens.LATIN1_STRING, 1, 'b'},
      {SHORT + 1, 'a', SHORT + 3, 'b', 'c'},
      {SHORT + 1, 'a', UkaTokens.SMALL_REFERENCE},
      {SHORT + 1, 'a', UkaTokens.UTF16_STRING, 2, 'b', 4, 'c', 4, SHORT + 1, 'd'},
      {UkaTokens.UTF16_STRING, 1, 'b', 4, UkaTokens.UTF16_STRING, 1, 'c', 0},
      {SHORT + 1, 'a', UkaTokens.UTF16_STRING, 2, 'b', 4, 'c'},
      {SHORT + 1, 'a', UkaTokens.UTF16_STRING, 0x80, 1},
      {SHORT + 1, 'a', UkaTokens.UTF16_STRING, 0, SHORT},
      {SHORT + 1, 'a', UkaTokens.UTF16_STRING},
      {},
    };
    for (int[] message : messages) {
      InputBuffer in = buffer(message);
      UkaFormatReader reader = new UkaFormatReader(in, PlatformCodecs.DESCRIPTIONS);
      List<Object> expected = new ArrayList<>();
      for (String text = reader.takeString(); text != null; text = reader.takeString()) {
        expected.add(text);
      }
      int end = in.position;
      in.position = 0;
      Object[] taken = new Object[10];
      int next = reader.takeStrings(taken, 2, taken.length);
      assertThat(Arrays.asList(taken).subList(2, next)).isEqualTo(expected);
      assertThat(in.position).isEqualTo(end);
    }
  }

  @Test
  public void referencesAreSeenWhereTheyStandThatAreAllHere() throws IOException {
    int[][] messages = {
      {UkaTokens.SMALL_REFERENCE},
      {UkaTokens.SMALL_REFERENCE + 0x3F},
      {UkaTokens.REFERENCE, 0},
      {UkaTokens.REFERENCE, 0x7F},
    };
    for (int[] message : messages) {
      InputBuffer in = buffer(message);
      UkaFormatReader reader = new UkaFormatReader(in, PlatformCodecs.DESCRIPTIONS);
      int handle = reader.peekHandle();
      assertThat(in.position).isZero();
      assertThat(reader.readHandle()).isEqualTo(handle);
      assertThat(in.remaining()).isZero();
    }
    int[][] others = {
      {}, {UkaTokens.REFERENCE}, {UkaTokens.REFERENCE, 0x80, 1}, {UkaTokens.NULL}, {SHORT}, {0x80}
    };
    for (int[] message : others) {
      InputBuffer in = buffer(message);
      assertThat(new UkaFormatReader(in, PlatformCodecs.DESCRIPTIONS).peekHandle()).isNegative();
      assertThat(in.position).isZero();
    }
  }

  @Test
  public void noMoreStringsAreTakenThanWanted() throws IOException {
    InputBuffer in = buffer(SHORT + 1, 'a', SHORT + 1, 'b', SHORT + 1, 'c');
    Object[] taken = new Object[3];
    assertThat(new UkaFormatReader(in, PlatformCodecs.DESCRIPTIONS).takeStrings(taken, 0, 2))
        .isEqualTo(2);
    assertThat(taken).containsExactly("a", "b", null);
    assertThat(in.position).isEqualTo(4);
  }
}
