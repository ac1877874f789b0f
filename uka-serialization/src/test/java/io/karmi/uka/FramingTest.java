package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.Test;

/** Messages as they meet the underlying streams. */
public class FramingTest {
  private static final class Writes extends OutputStream {
    final List<byte[]> all = new ArrayList<>();

    @Override
    public void write(int b) {
      all.add(new byte[] {(byte) b});
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      all.add(Arrays.copyOfRange(bytes, offset, offset + length));
    }
  }

  private static byte[] bytes(Object... values) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes)) {
      for (Object value : values) {
        out.writeObject(value);
      }
    }
    return bytes.toByteArray();
  }

  @Test
  public void aSmallObjectLeavesInOneWrite() throws IOException {
    Writes writes = new Writes();
    UkaObjectOutputStream out = new UkaObjectOutputStream(writes);
    assertThat(writes.all).as("the header").hasSize(1);
    out.writeInt(7);
    out.writeObject(List.of("a", 1, 2.5));
    assertThat(writes.all).hasSize(2);
  }

  @Test
  public void aLargeGraphLeavesInChunks() throws IOException {
    Writes writes = new Writes();
    UkaObjectOutputStream out = new UkaObjectOutputStream(writes);
    out.writeObject(IntStream.range(0, 100_000).mapToObj(Integer::toString).toArray());
    assertThat(writes.all).hasSizeGreaterThan(5);
    assertThat(writes.all).allMatch(write -> write.length < 200_000);
  }

  @Test
  public void noFrameBeginsAsAStreamDoes() throws Exception {
    for (int length = 40; length < 130; length++) {
      byte[] value = new byte[length];
      byte[] bytes = bytes(value, "behind");
      assertThat(bytes[4]).isNotEqualTo((byte) 'U');
      UkaObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(bytes));
      assertThat(in.readObject()).isEqualTo(value);
      assertThat(in.readObject()).isEqualTo("behind");
    }
  }

  @Test
  public void noByteBeyondTheMessageIsTaken() throws Exception {
    byte[] first = bytes("a", new int[100_000], "b");
    byte[] both = Arrays.copyOf(first, first.length + 3);
    ByteArrayInputStream source = new ByteArrayInputStream(both);
    UkaObjectInputStream in = new UkaObjectInputStream(source);
    in.readObject();
    in.readObject();
    in.readObject();
    assertThat(source.available()).isEqualTo(3);
  }

  @Test
  public void readingDoesNotAskWhatIsAvailable() throws Exception {
    byte[] bytes = bytes("a", List.of(1));
    InputStream source =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int available() {
            throw new AssertionError("available() was called");
          }
        };
    UkaObjectInputStream in = new UkaObjectInputStream(source);
    assertThat(in.readObject()).isEqualTo("a");
    assertThat(in.readObject()).isEqualTo(List.of(1));
  }

  @Test
  public void aSourceThatGivesByteByByteIsFine() throws Exception {
    byte[] bytes = bytes(new long[5000], "end");
    InputStream source =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] b, int off, int len) {
            return super.read(b, off, Math.min(len, 1));
          }
        };
    UkaObjectInputStream in = new UkaObjectInputStream(source);
    assertThat((long[]) in.readObject()).hasSize(5000);
    assertThat(in.readObject()).isEqualTo("end");
  }

  @Test
  public void aSourceWhoseSingleBytesHaveASignIsReadByItsArrays() throws Exception {
    byte[] value = new byte[1_000];
    InputStream signed =
        new ByteArrayInputStream(bytes(value, "behind")) {
          @Override
          public synchronized int read() {
            return (byte) super.read();
          }
        };
    UkaObjectInputStream in = new UkaObjectInputStream(signed);
    assertThat(in.readObject()).isEqualTo(value);
    assertThat(in.readObject()).isEqualTo("behind");
  }

  @Test
  public void aFrameOfNoBytesIsRefused() throws Exception {
    byte[] bytes = {'U', 'K', 'A', 1, 0, 0};
    UkaObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(bytes));
    assertThatThrownBy(in::readObject).isInstanceOf(StreamCorruptedException.class);
  }

  @Test
  public void aHeaderOfSomethingElseIsRefused() {
    byte[] bytes = "GIF89a".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    assertThatThrownBy(() -> new UkaObjectInputStream(new ByteArrayInputStream(bytes)))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("47494638");
  }

  @Test
  public void appendingWithoutHeaderContinuesTheStream() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new UkaObjectOutputStream(bytes).writeObject(List.of("a"));
    UkaObjectOutputStream appending =
        new UkaObjectOutputStream(bytes) {
          @Override
          protected void writeStreamHeader() throws IOException {
            reset();
          }
        };
    appending.writeObject(List.of("b"));
    UkaObjectInputStream in =
        new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    assertThat(in.readObject()).isEqualTo(List.of("a"));
    assertThat(in.readObject()).isEqualTo(List.of("b"));
  }

  /** Gives what it may, and would wait for the rest. */
  private static final class Trickle extends InputStream {
    private final byte[] bytes;
    private int next;
    int arrived = 4;

    Trickle(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      assertThat(next).as("bytes that have arrived").isLessThan(arrived);
      return bytes[next++] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      assertThat(next + length).as("bytes that have arrived").isLessThanOrEqualTo(arrived);
      System.arraycopy(bytes, next, to, offset, length);
      next += length;
      return length;
    }

    @Override
    public int available() {
      return arrived - next;
    }
  }

  @Test
  public void availableDoesNotWaitForTheRestOfABlock() throws Exception {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      for (int blockBytes : new int[] {20, 700}) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format));
        out.write(new byte[blockBytes]);
        out.flush();
        Trickle source = new Trickle(bytes.toByteArray());
        UkaObjectInputStream in = new UkaObjectInputStream(source);
        int before = 0;
        while (source.arrived < bytes.size()) {
          int available = in.available();
          assertThat(available)
              .as("%s at %d", format, source.arrived)
              .isBetween(before, blockBytes);
          before = available;
          source.arrived++;
        }
        assertThat(in.available()).as("%s", format).isEqualTo(blockBytes);
      }
    }
  }

  @Test
  public void streamsWithinStreamsKeepTheirBytesApart() throws Exception {
    ByteArrayOutputStream inner = new ByteArrayOutputStream();
    ByteArrayOutputStream outer =
        new ByteArrayOutputStream() {
          @Override
          public synchronized void write(byte[] bytes, int offset, int length) {
            if (length > 10_000) {
              writeInner(inner);
            }
            super.write(bytes, offset, length);
          }
        };
    UkaObjectOutputStream out = new UkaObjectOutputStream(outer);
    out.writeObject(filled(1));
    byte[] innerBytes = inner.toByteArray();
    ByteArrayInputStream source =
        new ByteArrayInputStream(outer.toByteArray()) {
          @Override
          public synchronized int read(byte[] to, int offset, int length) {
            if (length > 10_000) {
              assertThat(readAll(innerBytes)).isEqualTo(filled(2));
            }
            return super.read(to, offset, length);
          }
        };
    assertThat(new UkaObjectInputStream(source).readObject()).isEqualTo(filled(1));
  }

  private static int[] filled(int value) {
    int[] array = new int[15_000];
    Arrays.fill(array, value);
    return array;
  }

  private static void writeInner(ByteArrayOutputStream to) {
    to.reset();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(to)) {
      out.writeObject(filled(2));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Object readAll(byte[] bytes) {
    try (UkaObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
