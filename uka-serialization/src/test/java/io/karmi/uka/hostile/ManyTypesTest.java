package io.karmi.uka.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.File;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectStreamClass;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.Test;

/** Messages that describe many types: each costs what it is long, not what the others are. */
public class ManyTypesTest {
  private static final int OBJECT = 0x02;
  private static final int CLASS = 0x06;
  private static final int END = 0x0B;
  private static final int SERIALIZABLE = 0x02;
  private static final int HAS_UID = 0x20;
  private static final int HAS_FIELDS = 0x40;
  private static final int PLATFORM = 0x80;

  /** Added to a type's number where a type stands. */
  private static final int NUMBERED = 4;

  private static final int MANY_FIELDS = 30_000;

  private final OutputBuffer message = new OutputBuffer(1 << 16);

  private static void writeText(OutputBuffer to, String text) throws IOException {
    to.writeVarInt(text.length() << 1);
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    to.writeBytes(bytes, 0, bytes.length);
  }

  /** Writes the description of an absent class, up to its superclass. */
  private void describe(String name, int fields, char code) throws IOException {
    message.writeByte(1);
    message.writeByte(SERIALIZABLE | HAS_FIELDS);
    writeText(message, name);
    writeFields(message, fields, code);
    message.writeByte(END);
  }

  private static void writeFields(OutputBuffer to, int fields, char code) throws IOException {
    to.writeVarInt(fields);
    for (int i = 0; i < fields; i++) {
      to.writeByte(code);
      writeText(to, Integer.toString(i, Character.MAX_RADIX));
    }
  }

  /** Writes the description of a class of the platform, up to its superclass. */
  private void describePlatform(int number) throws IOException {
    message.writeByte(1);
    message.writeByte(PLATFORM | number);
    message.writeByte(END);
  }

  /** Opens an array of objects, whose type has the number 0. */
  private void beginArray(int length) throws IOException {
    message.writeByte(0x05);
    describePlatform(19);
    message.writeByte(0);
    message.writeVarInt(length);
  }

  private UkaObjectInputStream open() throws IOException {
    return new UkaObjectInputStream(new InputBuffer(message.bytes, 0, message.position));
  }

  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  @Test
  public void typesShareTheFieldsOfTheirSuperclass() throws Exception {
    for (int i = 0; i < 500; i++) { // each object in the one before, whose other fields never come
      message.writeByte(OBJECT);
      describe("absent.Type" + i, 0, 'Z');
      if (i > 0) {
        message.writeVarInt(NUMBERED + 1);
      } else {
        describe("absent.Above", MANY_FIELDS, 'Z');
        describe("absent.Topmost", 1, 'o');
        message.writeByte(0);
      }
    }
    long before = allocated();
    UkaObjectInputStream in = open();
    assertThatThrownBy(in::readObject).isInstanceOf(IOException.class);
    assertThat(allocated() - before).as("bytes allocated").isLessThan(48 << 20);
  }

  /** Refuses to grow after it was asked so often. */
  private static final class Limited extends InputBuffer {
    private int left;

    Limited(OutputBuffer message, int looks) {
      super(message.bytes, 0, message.position);
      left = looks;
    }

    @Override
    public void grow(long nextBytes) throws IOException {
      if (left-- == 0) {
        throw new IOException("too much");
      }
    }
  }

  @Test
  public void sourceIsToldThatDescriptionsGrow() throws Exception {
    message.writeByte(CLASS);
    describe("absent.Type", MANY_FIELDS, 'Z');
    message.writeByte(0);
    UkaObjectInputStream in = new UkaObjectInputStream(new Limited(message, 100));
    assertThatThrownBy(in::readObject).isInstanceOf(IOException.class).hasMessage("too much");
    message.position = 0;
    message.writeByte(OBJECT);
    message.writeVarInt(2); // a proxy
    message.writeVarInt(MANY_FIELDS);
    for (int i = 0; i < MANY_FIELDS; i++) {
      writeText(message, "absent.Type");
    }
    UkaObjectInputStream next = new UkaObjectInputStream(new Limited(message, 100));
    assertThatThrownBy(next::readObject).isInstanceOf(IOException.class).hasMessage("too much");
  }

  @Test
  public void endlessLineOfSuperclassesIsRefused() throws Exception {
    int classes = 1000;
    beginArray(classes);
    for (int i = 0; i < classes; i++) {
      message.writeByte(CLASS);
      describe("absent.Type" + i, 0, 'Z');
      message.writeVarInt(i == 0 ? 0 : NUMBERED + i);
    }
    UkaObjectInputStream in = open();
    assertThatThrownBy(in::readObject)
        .isInstanceOf(InvalidClassException.class)
        .hasMessageContaining("superclasses");
  }

  /* With a filter, a decimal is read by the long form, which names the types of its parts. */
  @Test(timeout = 60_000)
  public void partsOfShortFormsAreFoundAmongManyTypes() throws Exception {
    int types = 50_000;
    int decimals = 500_000;
    beginArray(types + decimals + 3);
    message.writeByte(CLASS);
    describePlatform(11); // byte[], number 1
    message.writeByte(0);
    message.writeByte(CLASS);
    describePlatform(33); // BigInteger
    describePlatform(0); // Number, 3
    message.writeByte(0);
    message.writeByte(CLASS);
    describePlatform(34); // BigDecimal, 4
    message.writeVarInt(NUMBERED + 3);
    for (int i = 0; i < types; i++) {
      message.writeByte(CLASS);
      describePlatform(1); // Integer
      message.writeVarInt(NUMBERED + 3);
    }
    for (int i = 0; i < decimals; i++) {
      message.writeByte(0x80 + 4);
      message.writeVarInt(0); // scale
      message.writeVarInt(4); // one byte
      message.writeByte(7);
    }
    UkaObjectInputStream in = open();
    in.setObjectInputFilter(info -> ObjectInputFilter.Status.ALLOWED);
    assertThat((Object[]) in.readObject()).hasSize(types + decimals + 3);
  }

  @Test
  public void descriptorsOfTypesWithOneSuperclassCountAsSteps() throws Exception {
    int types = 1000;
    beginArray(types);
    for (int i = 0; i < types; i++) {
      message.writeByte(CLASS);
      message.writeByte(0);
      describe("absent.Type" + i, 0, 'Z');
      if (i > 0) {
        message.writeVarInt(NUMBERED + 2);
      } else {
        describe("absent.Above", MANY_FIELDS, 'Z');
        message.writeByte(0);
      }
    }
    UkaObjectInputStream in = open();
    assertThatThrownBy(in::readObject)
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining("steps");
  }

  /** Reads objects of classes of the platform in versions with many fields. */
  static final class Versions {
    private static final int OF_EACH = 12;

    private Versions() {}

    public static void main(String[] arguments) throws Exception {
      Class<?>[] classes = {
        UUID.class,
        AtomicBoolean.class,
        AtomicInteger.class,
        AtomicLong.class,
        AtomicReference.class
      };
      for (Class<?> type : classes) {
        for (int i = 0; i < OF_EACH; i++) {
          Object read = read(type, 2 * MANY_FIELDS - i);
          if (read.getClass() != type) {
            throw new AssertionError(read);
          }
        }
      }
      System.out.println("all read");
    }

    private static Object read(Class<?> type, int fields) throws Exception {
      OutputBuffer bytes = new OutputBuffer(1 << 16);
      bytes.writeByte(OBJECT);
      bytes.writeByte(1);
      bytes.writeByte(SERIALIZABLE | HAS_UID | HAS_FIELDS);
      writeText(bytes, type.getName());
      bytes.writeLong(ObjectStreamClass.lookup(type).getSerialVersionUID());
      writeFields(bytes, fields, 'Z');
      bytes.writeByte(END);
      bytes.writeByte(0);
      bytes.writeBytes(new byte[fields], 0, fields);
      return new UkaObjectInputStream(new InputBuffer(bytes.bytes, 0, bytes.position)).readObject();
    }
  }

  @Test
  public void accessToOtherVersionsOfClassesGivesWayToMemory() throws Exception {
    File output = File.createTempFile("versions", ".txt");
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx40m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Versions.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(output)
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
      assertThat(Files.readString(output.toPath())).contains("all read");
    } finally {
      process.destroyForcibly();
      output.delete();
    }
  }
}
