package io.karmi.uka.format.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.UkaOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.WriteAbortedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/**
 * What belongs to a value and what does not, in the underlying stream; and who decides on the
 * format.
 */
public class JdkFormatBoundariesTest {
  private static final byte[] NEXT = {1, 2, 3};
  private static final UkaOptions JDK = new UkaOptions(UkaOptions.Format.JDK);

  private enum Colour {
    RED
  }

  private static List<Object> values() {
    Integer[] boxes = new Integer[300];
    Arrays.setAll(boxes, i -> i);
    return List.of(
        "text",
        Colour.RED,
        new int[] {1, 2},
        new byte[300],
        new boolean[3],
        boxes,
        new ArrayList<>(Collections.nCopies(300, null)),
        new LinkedList<>(Arrays.asList(boxes)),
        new HashMap<>(Collections.singletonMap(null, null)),
        new HashSet<>(Arrays.asList(boxes)),
        new ArrayList<>(List.of(1, "two")),
        Map.of("key", List.of()),
        new IllegalStateException("with a trace"));
  }

  private static byte[] written(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    out.writeObject(value);
    out.flush();
    bytes.write(NEXT);
    return bytes.toByteArray();
  }

  /** A source like any other: it is not known to be an array. */
  private static InputStream opaque(InputStream source) {
    return new FilterInputStream(source) {};
  }

  @Test
  public void whatFollowsAnObjectStaysInTheSource() throws Exception {
    for (Object value : values()) {
      InputStream source = opaque(new ByteArrayInputStream(written(value)));
      new UkaObjectInputStream(source).readObject();
      assertThat(source.readAllBytes()).as("after %s", value).isEqualTo(NEXT);
    }
  }

  @Test
  public void whatFollowsAnObjectIsGivenBackToAnArray() throws Exception {
    for (Object value : values()) {
      ByteArrayInputStream source = new ByteArrayInputStream(written(value));
      new UkaObjectInputStream(source).readObject();
      assertThat(source.readAllBytes()).as("after %s", value).isEqualTo(NEXT);
    }
  }

  @Test
  public void elementsAreFetchedTogether() throws Exception {
    List<String> strings = new ArrayList<>();
    Map<Integer, String> map = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      strings.add("element " + i);
      map.put(i, "value " + i);
    }
    for (Object value : new Object[] {strings, new LinkedList<>(strings), map, new byte[1000]}) {
      AtomicInteger calls = new AtomicInteger();
      InputStream source =
          new FilterInputStream(new ByteArrayInputStream(written(value))) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
              calls.incrementAndGet();
              return super.read(bytes, offset, length);
            }
          };
      new UkaObjectInputStream(source).readObject();
      assertThat(calls.get()).as(value.getClass().getName()).isLessThan(500);
      assertThat(source.readAllBytes()).isEqualTo(NEXT);
    }
  }

  /** Fields of one type, and text that is the name of a type. */
  private static final class Names implements Serializable {
    String first = "Ljava/lang/String;";
    String second = "Ljava/lang/Object;";
    Object third = first;
    Object fourth = new int[1];
    int[] fifth;
  }

  @Test
  public void descriptionsAreTheJdksWhereverTheyStand() throws Exception {
    ByteArrayOutputStream theirs = new ByteArrayOutputStream();
    ByteArrayOutputStream ours = new ByteArrayOutputStream();
    ObjectOutputStream[] streams = {
      new ObjectOutputStream(theirs), new UkaObjectOutputStream(ours, JDK)
    };
    for (ObjectOutputStream out : streams) {
      out.writeObject(new Names());
      out.writeObject(List.of(new Names(), "Ljava/lang/String;"));
      out.reset();
      out.writeObject("[I");
      out.writeObject(new Names());
      out.reset();
      out.writeUnshared(new Names());
      out.writeObject(new Names());
      out.flush();
    }
    assertThat(ours.toByteArray()).isEqualTo(theirs.toByteArray());
  }

  @Test
  public void marksOfAnArrayStayWhereTheyAre() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(new byte[] {7, 8, 9});
    bytes.write(written("text"));
    ByteArrayInputStream source = new ByteArrayInputStream(bytes.toByteArray());
    source.skip(1);
    source.mark(0);
    source.skip(2);
    new UkaObjectInputStream(source).readObject();
    assertThat(source.readAllBytes()).isEqualTo(NEXT);
    source.reset();
    assertThat(source.read()).as("byte at the mark").isEqualTo(8);
  }

  @Test
  public void anArrayCanBeReadAgainFromItsStart() throws Exception {
    ByteArrayInputStream source = new ByteArrayInputStream(written("text"));
    new UkaObjectInputStream(source).readObject();
    source.reset();
    assertThat(new UkaObjectInputStream(source).readObject()).isEqualTo("text");
  }

  @Test
  public void whatFollowsAFailedWriteStaysInTheSource() throws Exception {
    Object[] failing = new Object[200];
    failing[0] = new Object();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    assertThatThrownBy(() -> out.writeObject(failing)).isInstanceOf(IOException.class);
    out.flush();
    bytes.write(NEXT);
    InputStream source = opaque(new ByteArrayInputStream(bytes.toByteArray()));
    ObjectInputStream in = new UkaObjectInputStream(source);
    assertThatThrownBy(in::readObject).isInstanceOf(WriteAbortedException.class);
    assertThat(source.readAllBytes()).isEqualTo(NEXT);
  }

  @Test
  public void aProgramsOwnHeaderDecidesOnTheFormat() throws Exception {
    ByteArrayOutputStream ours = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new OwnHeaderOutput(ours)) {
      out.writeObject("text");
    }
    ByteArrayOutputStream jdk = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(jdk)) {
      out.writeObject("text");
    }
    assertThat(ours.toByteArray()).isEqualTo(jdk.toByteArray());
    try (ObjectInputStream in = new OwnHeaderInput(new ByteArrayInputStream(ours.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo("text");
    }
  }

  /** Closes the stream that reads it, when a part of its data has been read. */
  private static final class Closing implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.write(new byte[200]);
    }

    private void readObject(ObjectInputStream in) throws IOException {
      in.readByte();
      in.close();
    }
  }

  @Test
  public void closingInsideAnObjectDoesNotWaitForItsData() throws Exception {
    byte[] bytes = written(new Closing());
    int missing = NEXT.length + 100;
    AtomicInteger reads = new AtomicInteger();
    InputStream source =
        new FilterInputStream(new ByteArrayInputStream(bytes, 0, bytes.length - missing)) {
          private boolean closed;

          @Override
          public int read(byte[] to, int offset, int length) throws IOException {
            int count = super.read(to, offset, length);
            if (count < 0 && !closed) {
              reads.incrementAndGet();
            }
            return count;
          }

          @Override
          public void close() {
            closed = true;
          }
        };
    assertThatThrownBy(new UkaObjectInputStream(source)::readObject)
        .isInstanceOf(IOException.class);
    assertThat(reads).as("reads of an open source of which nothing has come").hasValue(0);
  }

  /** Refuses data that is too short. */
  private static final class Refusing implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.write(new byte[200]);
    }

    private void readObject(ObjectInputStream in) throws IOException {
      throw new IOException("only " + in.read(new byte[200]));
    }
  }

  @Test
  public void refusalOfDataThatIsCutOffIsWhatTheCallerSees() throws Exception {
    byte[] bytes = written(new Object[] {new Refusing()});
    int missing = NEXT.length + 1 + 100;
    InputStream cutOff = new ByteArrayInputStream(bytes, 0, bytes.length - missing);
    assertThatThrownBy(new UkaObjectInputStream(opaque(cutOff))::readObject)
        .isInstanceOf(IOException.class)
        .hasMessage("only 100");
  }

  @Test
  public void textOfEveryLengthIsTheJdks() throws Exception {
    for (int length : new int[] {0, 1, 21845, 21846, 65535, 65536, 200_000}) {
      for (String character : new String[] {"a", "\0", "\u00e4", "\u20ac", "\ud800"}) {
        String text = character.repeat(length);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ObjectOutputStream out = new UkaObjectOutputStream(bytes, JDK);
        out.writeObject(text);
        bytes.write(NEXT);
        assertThat(Arrays.equals(bytes.toByteArray(), written(text))).as("bytes").isTrue();
        InputStream source = opaque(new ByteArrayInputStream(bytes.toByteArray()));
        assertThat(new UkaObjectInputStream(source).readObject().equals(text)).isTrue();
      }
    }
  }

  /** A source whose available() says a number, and not how many bytes are there. */
  private static InputStream saying(int available, byte[] bytes) {
    return new FilterInputStream(new ByteArrayInputStream(bytes)) {
      @Override
      public int available() {
        return available;
      }
    };
  }

  private static List<Integer> available(ObjectInputStream in) throws IOException {
    List<Integer> available = new ArrayList<>();
    for (int length : new int[] {0, 0, 1, 299, 100, 800, 600}) {
      available.add(in.skipBytes(length));
      available.add(in.available());
    }
    return available;
  }

  @Test
  public void whatIsAvailableOfSourcesThatSayLittleIsWhatTheJdkSays() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    out.write(new byte[300]);
    out.flush();
    out.write(new byte[1500]);
    out.flush();
    for (int said : new int[] {0, 1, 2, 5, -1, Integer.MAX_VALUE}) {
      assertThat(available(new UkaObjectInputStream(saying(said, bytes.toByteArray()))))
          .as("of a source that says %d", said)
          .isEqualTo(available(new ObjectInputStream(saying(said, bytes.toByteArray()))));
    }
  }

  private static final class OwnHeaderOutput extends UkaObjectOutputStream {
    OwnHeaderOutput(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeStreamHeader() throws IOException {
      writeShort(STREAM_MAGIC);
      writeShort(STREAM_VERSION);
    }
  }

  private static final class OwnHeaderInput extends UkaObjectInputStream {
    OwnHeaderInput(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected void readStreamHeader() throws IOException {
      readShort();
      readShort();
    }
  }
}
