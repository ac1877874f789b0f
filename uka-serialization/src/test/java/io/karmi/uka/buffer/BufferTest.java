package io.karmi.uka.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.Random;
import org.junit.Test;

/** What goes into a buffer comes out of one. */
public class BufferTest {
  private final OutputBuffer out = new OutputBuffer(1);

  private InputBuffer written() {
    return new InputBuffer(out.bytes, 0, out.position);
  }

  @Test
  public void singleValues() throws IOException {
    out.writeByte(-1);
    out.writeBoolean(true);
    out.writeChar('\uabcd');
    out.writeShort(-2);
    out.writeInt(0x01020304);
    out.writeLong(Long.MIN_VALUE);
    out.writeFloat(Float.MIN_VALUE);
    out.writeDouble(-0.0);
    assertThat(out.position).isEqualTo(30);
    assertThat(out.bytes[6]).as("little-endian").isEqualTo((byte) 4);
    InputBuffer in = written();
    assertThat(in.readByte()).isEqualTo((byte) -1);
    assertThat(in.readBoolean()).isTrue();
    assertThat(in.readChar()).isEqualTo('\uabcd');
    assertThat(in.readShort()).isEqualTo((short) -2);
    assertThat(in.readInt()).isEqualTo(0x01020304);
    assertThat(in.readLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(in.readFloat()).isEqualTo(Float.MIN_VALUE);
    assertThat(in.readDouble()).isEqualTo(-0.0);
    assertThat(in.remaining()).isZero();
  }

  @Test
  public void numbersOfEveryLength() throws IOException {
    for (int bits = 0; bits < 32; bits++) {
      out.writeVarInt(1 << bits);
      out.writeVarInt((1 << bits) - 1);
    }
    for (int bits = 0; bits < 64; bits++) {
      out.writeVarLong(1L << bits);
      out.writeVarLong((1L << bits) - 1);
    }
    InputBuffer in = written();
    for (int bits = 0; bits < 32; bits++) {
      assertThat(in.readVarInt()).isEqualTo(1 << bits);
      assertThat(in.readVarInt()).isEqualTo((1 << bits) - 1);
    }
    for (int bits = 0; bits < 64; bits++) {
      assertThat(in.readVarLong()).isEqualTo(1L << bits);
      assertThat(in.readVarLong()).isEqualTo((1L << bits) - 1);
    }
  }

  @Test
  public void numbersOfEveryLengthArriveByThemselvesAndInFrontOfOthers() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      long number = random.nextLong() >>> random.nextInt(64);
      OutputBuffer out = new OutputBuffer(64);
      out.writeVarLong(number);
      out.writeVarInt((int) number);
      int end = out.position;
      out.writeLong(-1);
      for (int limit : new int[] {end, end + 3, out.position}) {
        InputBuffer in = new InputBuffer(out.bytes, 0, limit);
        assertThat(in.readVarLong()).isEqualTo(number);
        assertThat(in.readVarInt()).isEqualTo((int) number);
        assertThat(in.position).isEqualTo(end);
      }
    }
  }

  @Test
  public void numbersThatAreTooLongAreRefused() {
    byte[] endless = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    assertThatThrownBy(() -> new InputBuffer(endless, 0, 11).readVarInt())
        .isInstanceOf(StreamCorruptedException.class);
    assertThatThrownBy(() -> new InputBuffer(endless, 0, 11).readVarLong())
        .isInstanceOf(StreamCorruptedException.class);
    byte[] thirtyThreeBits = {-1, -1, -1, -1, 0x1F};
    assertThatThrownBy(() -> new InputBuffer(thirtyThreeBits, 0, 5).readVarInt())
        .isInstanceOf(StreamCorruptedException.class);
  }

  @Test
  public void arraysInParts() throws IOException {
    int[] ints = {1, -2, 3, Integer.MAX_VALUE};
    double[] doubles = {0.5, Double.NaN, -1};
    boolean[] booleans = {true, false, true};
    char[] chars = "char".toCharArray();
    out.writeInts(ints, 1, 3);
    out.writeDoubles(doubles, 0, 3);
    out.writeBooleans(booleans, 0, 3);
    out.writeChars(chars, 0, 4);
    int[] readInts = new int[4];
    double[] readDoubles = new double[3];
    boolean[] readBooleans = new boolean[3];
    char[] readChars = new char[4];
    InputBuffer in = written();
    in.readInts(readInts, 1, 3);
    in.readDoubles(readDoubles, 0, 3);
    in.readBooleans(readBooleans, 0, 3);
    in.readChars(readChars, 0, 4);
    assertThat(readInts).containsExactly(0, -2, 3, Integer.MAX_VALUE);
    assertThat(readDoubles).containsExactly(doubles);
    assertThat(readBooleans).containsExactly(booleans);
    assertThat(readChars).containsExactly(chars);
  }

  @Test
  public void anEarlyEndIsReported() throws IOException {
    out.writeByte(1);
    assertThatThrownBy(() -> written().readInt())
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("4 bytes wanted, 1 left");
  }
}
