package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.Test;

/** Bytes that lie: they cost what they are long, and end in an exception. */
public class ForgedBytesTest {
  private static final long ALLOCATION_LIMIT = 32 << 20;

  private interface Bytes {
    void writeTo(OutputBuffer to) throws IOException;
  }

  /** Reads a forged body that must not cost memory, and returns what is thrown. */
  private static Throwable read(Bytes body) throws IOException {
    long before = allocated();
    Throwable thrown = readAtAnyCost(body);
    assertThat(allocated() - before).as("bytes allocated").isLessThan(ALLOCATION_LIMIT);
    return thrown;
  }

  /**
   * The same where classes are looked for, whose absence the JVM reports with a deep stack trace
   * each.
   */
  private static Throwable readAtAnyCost(Bytes body) throws IOException {
    OutputBuffer forged = new OutputBuffer(64);
    body.writeTo(forged);
    OutputBuffer stream = new OutputBuffer(64);
    stream.writeBytes(new byte[] {'U', 'K', 'A', 1}, 0, 4);
    stream.writeVarInt(forged.position);
    stream.writeBytes(forged.bytes, 0, forged.position);
    ByteArrayInputStream source = new ByteArrayInputStream(stream.bytes, 0, stream.position);
    UkaObjectInputStream in = new UkaObjectInputStream(source);
    return catchThrowable(in::readObject);
  }

  private static long allocated() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  private static void type(OutputBuffer to, String name) throws IOException {
    to.writeVarInt(1);
    to.writeByte(2);
    to.writeVarInt(name.length() << 1);
    for (char c : name.toCharArray()) {
      to.writeByte(c);
    }
    to.writeByte(0x0B);
  }

  @Test
  public void anArrayOfPrimitivesThatIsNotThere() throws IOException {
    for (String name : new String[] {"[B", "[J"}) {
      Throwable thrown =
          read(
              to -> {
                to.writeByte(0x05);
                type(to, name);
                to.writeByte(0);
                to.writeVarInt(Integer.MAX_VALUE - 8);
              });
      assertThat(thrown).as(name).isInstanceOf(IOException.class);
    }
  }

  @Test
  public void anArrayOfReferencesThatIsNotThere() throws IOException {
    Throwable thrown =
        read(
            to -> {
              to.writeByte(0x05);
              type(to, "[Ljava.lang.Object;");
              to.writeByte(0);
              to.writeVarInt(500_000_000);
            });
    assertThat(thrown).isInstanceOf(IOException.class);
  }

  @Test
  public void aNegativeLength() throws IOException {
    Throwable thrown =
        read(
            to -> {
              to.writeByte(0x05);
              type(to, "[I");
              to.writeByte(0);
              to.writeVarInt(-5);
            });
    assertThat(thrown).isInstanceOf(IOException.class).hasMessage("Array length is negative");
  }

  @Test
  public void stringsThatAreNotThere() throws IOException {
    for (int token : new int[] {0x03, 0x04}) {
      for (int length : new int[] {Integer.MAX_VALUE, 1_000_000_000, -1}) {
        Throwable thrown =
            read(
                to -> {
                  to.writeByte(token);
                  to.writeVarInt(length);
                });
        assertThat(thrown).as("%x %d", token, length).isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  public void aFrameThatIsNotThere() throws Exception {
    byte[] stream = {'U', 'K', 'A', 1, -1, -1, -1, -1, 7, 0x11, 'a'};
    UkaObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(stream));
    long before = allocated();
    Throwable thrown = catchThrowable(in::readObject);
    assertThat(allocated() - before).isLessThan(ALLOCATION_LIMIT);
    assertThat(thrown).isInstanceOf(IOException.class);
  }

  @Test
  public void classesWithinClassesWithoutEnd() throws IOException {
    Throwable thrown =
        readAtAnyCost(
            to -> {
              to.writeByte(0x02);
              for (int i = 0; i < 100_000; i++) {
                type(to, "x" + i);
              }
            });
    assertThat(thrown).isInstanceOf(IOException.class).hasMessageContaining("within each other");
  }

  @Test
  public void objectsInAnnotationsWithoutEnd() throws IOException {
    Throwable thrown =
        readAtAnyCost(
            to -> {
              for (int i = 0; i < 20_000; i++) {
                to.writeByte(0x02);
                to.writeVarInt(1);
                to.writeByte(2);
                to.writeVarInt(2);
                to.writeByte('x');
              }
            });
    assertThat(thrown).isInstanceOf(IOException.class).hasMessageContaining("within each other");
  }

  @Test
  public void handlesAndTypesOfNobody() throws IOException {
    assertThat(read(to -> to.writeByte(0x40))).isInstanceOf(IOException.class);
    assertThat(read(to -> to.writeByte(0x80))).isInstanceOf(IOException.class);
    assertThat(
            read(
                to -> {
                  to.writeByte(0x01);
                  to.writeVarInt(-1);
                }))
        .isInstanceOf(IOException.class);
  }

  @Test
  public void aClassThatIsItsOwnSuperclass() throws IOException {
    Throwable thrown =
        read(
            to -> {
              to.writeByte(0x02);
              type(to, "java.util.Date");
              to.writeVarInt(4);
            });
    assertThat(thrown).isInstanceOf(IOException.class);
  }

  @Test
  public void aReaderLetsGoOfWhatItHasRead() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaObjectOutputStream out = new UkaObjectOutputStream(bytes);
    for (int i = 0; i < 20; i++) {
      out.writeObject(new byte[8 << 20]);
      out.reset();
    }
    UkaObjectInputStream in =
        new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    for (int i = 0; i < 20; i++) {
      in.readObject();
    }
    out.writeObject("small");
    assertThat(out.buffer().bytes.length).as("the writer's buffer").isLessThan(1 << 20);
    assertThat(in.buffer().bytes.length).as("the reader's buffer").isLessThan(1 << 20);
    out.close();
  }
}
