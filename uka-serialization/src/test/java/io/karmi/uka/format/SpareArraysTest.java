package io.karmi.uka.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Arrays that streams lend one another tell nothing to a program's own streams. */
public class SpareArraysTest {
  private static final String SECRET = "secret".repeat(1000);

  /** Keeps each array that it is given to read into. */
  private static final class KeepingInput extends InputStream {
    private final InputStream bytes;
    private final List<byte[]> kept = new ArrayList<>();

    KeepingInput(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      throw new AssertionError("reads are of arrays, but for lengths");
    }

    @Override
    public int read(byte[] into, int offset, int length) throws java.io.IOException {
      kept.add(into);
      return bytes.read(into, offset, length);
    }
  }

  /** Keeps each array that it is given to write. */
  private static final class KeepingOutput extends OutputStream {
    private final List<byte[]> kept = new ArrayList<>();

    @Override
    public void write(int value) {
      throw new AssertionError("writes are of arrays");
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      kept.add(from);
    }
  }

  private static byte[] write(Object value, UkaOptions.Format format) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format))) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** Writes and reads a text in this thread, which meets the same arrays again. */
  private static void useOtherStreams() throws Exception {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      byte[] bytes = write(SECRET, format);
      assertThat(new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject())
          .isEqualTo(SECRET);
    }
  }

  private static void assertNoSecret(List<byte[]> kept) {
    assertThat(kept).isNotEmpty();
    for (byte[] array : kept) {
      assertThat(new String(array, StandardCharsets.ISO_8859_1)).doesNotContain("secret");
    }
  }

  @Test
  public void aSourceThatKeepsItsArraysSeesNothingOfOtherStreams() throws Exception {
    useOtherStreams();
    /* In the JDK's format no byte is read alone. */
    KeepingInput source = new KeepingInput(write("public".repeat(1000), UkaOptions.Format.JDK));
    assertThat(new UkaObjectInputStream(source).readObject()).isEqualTo("public".repeat(1000));
    assertNoSecret(source.kept);
    useOtherStreams();
    assertNoSecret(source.kept);
  }

  @Test
  public void aSinkThatKeepsItsArraysSeesNothingOfOtherStreams() throws Exception {
    useOtherStreams();
    KeepingOutput sink = new KeepingOutput();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(sink)) {
      out.writeObject("public".repeat(1000));
      out.flush();
      assertNoSecret(sink.kept);
      useOtherStreams();
      assertNoSecret(sink.kept);
    }
  }

  @Test
  public void arraysAreClearWhenTheyAreLentAgain() throws Exception {
    useOtherStreams();
    byte[] array = SpareArrays.take();
    assertThat(array).containsOnly(0);
    SpareArrays.give(array, 0);
  }

  @Test
  public void smallArraysAreClearWhenTheyAreLentAgain() throws Exception {
    write("secret".repeat(200), UkaOptions.Format.JDK);
    byte[] array = SpareArrays.takeSmall();
    assertThat(array).hasSize(SpareArrays.SMALL_LENGTH).containsOnly(0);
    SpareArrays.give(array, 0);
  }

  @Test
  public void aSmallMessageOfASinkThatKeepsItsArraysIsInNoLentOne() throws Exception {
    write("secret".repeat(200), UkaOptions.Format.JDK);
    KeepingOutput sink = new KeepingOutput();
    try (UkaObjectOutputStream out =
        new UkaObjectOutputStream(sink, new UkaOptions(UkaOptions.Format.JDK))) {
      out.writeObject("public".repeat(200));
      write("secret".repeat(200), UkaOptions.Format.JDK);
      assertNoSecret(sink.kept);
    }
  }

  /** Shows the bytes that have been written. */
  private static final class OpenOutput extends ByteArrayOutputStream {
    byte[] array() {
      return buf;
    }
  }

  /** Sees each array. */
  private static class SeeingOutput extends ByteArrayOutputStream {
    @Override
    public synchronized void write(byte[] from, int offset, int length) {
      super.write(from, offset, length);
    }
  }

  private static final class BelowSeeingOutput extends SeeingOutput {}

  @Test
  public void arraysAreLentToASubclassOfAStreamOfTheJdkUnlessItHasMethodsForArrays() {
    assertThat(SpareArrays.maySee(ByteArrayOutputStream.class)).isTrue();
    assertThat(SpareArrays.maySee(OpenOutput.class)).isTrue();
    assertThat(SpareArrays.maySee(SeeingOutput.class)).isFalse();
    assertThat(SpareArrays.maySee(BelowSeeingOutput.class)).isFalse();
    assertThat(SpareArrays.maySee(KeepingOutput.class)).isFalse();
    assertThat(SpareArrays.maySee(java.io.BufferedOutputStream.class)).isFalse();
  }
}
