package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OptionalDataException;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

/**
 * Programs that continue a stream: they open another one on the same file, and override {@code
 * writeStreamHeader} so that it writes nothing. Earlier parts may be in the JDK's format.
 */
public class AppendingTest {
  private static final UkaOptions UKA = new UkaOptions(UkaOptions.Format.UKA);
  private static final UkaOptions JDK = new UkaOptions(UkaOptions.Format.JDK);
  private static final byte[] SEAM = {'U', 'K', 'A', (byte) 0x81};

  private interface Opener {
    ObjectOutputStream open(OutputStream to) throws IOException;
  }

  /** What begins a file. */
  private static final List<Opener> FIRST =
      List.of(
          ObjectOutputStream::new,
          to -> new UkaObjectOutputStream(to, JDK),
          to -> new UkaObjectOutputStream(to, UKA));

  private static ObjectOutputStream appendingToJdk(OutputStream to) throws IOException {
    return new ObjectOutputStream(to) {
      @Override
      protected void writeStreamHeader() throws IOException {
        reset();
      }
    };
  }

  private static UkaObjectOutputStream appending(OutputStream to) throws IOException {
    return new UkaObjectOutputStream(to, UKA) {
      @Override
      protected void writeStreamHeader() throws IOException {
        reset();
      }
    };
  }

  private static UkaObjectOutputStream appendingWithoutReset(OutputStream to) throws IOException {
    return new UkaObjectOutputStream(to, UKA) {
      @Override
      protected void writeStreamHeader() {}
    };
  }

  /** What continues it, in UKA's format. */
  private static final List<Opener> NEXT =
      List.of(AppendingTest::appending, AppendingTest::appendingWithoutReset);

  private static final class Node implements Serializable {
    private static final long serialVersionUID = 1;
    final int value;
    final Object text;
    final Node self = this;

    Node(int value, Object text) {
      this.value = value;
      this.text = text;
    }
  }

  /** Gives one byte at a time, and none that was not asked for. */
  private static final class Trickle extends InputStream {
    private final InputStream bytes;

    Trickle(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() throws IOException {
      return bytes.read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
      return bytes.read(to, offset, Math.min(length, 1));
    }
  }

  private static List<InputStream> sources(byte[] bytes) {
    return List.of(
        new ByteArrayInputStream(bytes),
        new Trickle(bytes),
        new BufferedInputStream(new ByteArrayInputStream(bytes), 7));
  }

  private static void writePart(ObjectOutputStream out, int part, int fill) throws IOException {
    try (out) {
      String shared = "part " + part;
      out.writeObject(new Node(part, shared));
      out.writeObject(shared);
      out.write(new byte[fill]);
      out.writeInt(part);
      out.writeObject(List.of(part, shared));
    }
  }

  private static void checkPart(ObjectInputStream in, int part, int fill) throws Exception {
    Node node = (Node) in.readObject();
    assertThat(node.value).isEqualTo(part);
    assertThat(node.self).isSameAs(node);
    assertThat(node.text).isEqualTo("part " + part);
    assertThat(in.readObject()).isSameAs(node.text);
    assertThat(in.readNBytes(fill)).isEqualTo(new byte[fill]);
    assertThat(in.readInt()).isEqualTo(part);
    assertThat(in.readObject()).isEqualTo(List.of(part, "part " + part));
  }

  @Test
  public void oneStreamReadsWhatOthersHaveAppended() throws Exception {
    for (Opener first : FIRST) {
      for (Opener next : NEXT) {
        for (int fill : new int[] {0, 1, 200, 256, 500, 1024, 5000}) {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          writePart(first.open(bytes), 1, fill);
          for (int part = 2; part < 5; part++) {
            writePart(next.open(bytes), part, fill);
          }
          for (InputStream source : sources(bytes.toByteArray())) {
            UkaObjectInputStream in = new UkaObjectInputStream(source);
            for (int part = 1; part < 5; part++) {
              checkPart(in, part, fill);
            }
            assertThatThrownBy(in::readObject).isInstanceOf(EOFException.class);
            assertThat(in.read()).isEqualTo(-1);
          }
        }
      }
    }
  }

  @Test
  public void partsInTheFormatOfTheJdkMayComeBeforeTheFirstOther() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writePart(new ObjectOutputStream(bytes), 1, 3);
    writePart(appendingToJdk(bytes), 2, 3);
    writePart(appending(bytes), 3, 3);
    for (InputStream source : sources(bytes.toByteArray())) {
      UkaObjectInputStream in = new UkaObjectInputStream(source);
      for (int part = 1; part < 4; part++) {
        checkPart(in, part, 3);
      }
    }
  }

  /** A value may have its bytes on both sides, as it may have them in two blocks. */
  @Test
  @SuppressWarnings("deprecation") // readLine
  public void primitivesGoOnBehindASeam() throws Exception {
    for (Opener first : FIRST) {
      for (Opener next : NEXT) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = first.open(bytes)) {
          out.writeShort(0x0102);
        }
        try (ObjectOutputStream out = next.open(bytes)) {
          out.writeShort(0x0304);
          out.writeUTF("text");
          out.writeBytes("line\nrest");
        }
        for (InputStream source : sources(bytes.toByteArray())) {
          UkaObjectInputStream in = new UkaObjectInputStream(source);
          assertThat(in.readInt()).isEqualTo(0x01020304);
          assertThat(in.readUTF()).isEqualTo("text");
          assertThat(in.readLine()).isEqualTo("line");
          assertThat(in.skip(3)).isEqualTo(3);
          assertThat(in.read()).isEqualTo('t');
          assertThat(in.read()).isEqualTo(-1);
        }
      }
    }
  }

  @Test
  public void everyWayToAskForPrimitivesPassesASeam() throws Exception {
    for (Opener first : FIRST) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      first.open(bytes).close();
      try (ObjectOutputStream out = appending(bytes)) {
        out.writeInt(7);
      }
      byte[] all = bytes.toByteArray();
      assertThat(open(all).available()).isEqualTo(4);
      assertThat(open(all).skipBytes(9)).isEqualTo(4);
      assertThat(open(all).read(new byte[9], 0, 9)).isEqualTo(4);
      assertThat(open(all).readInt()).isEqualTo(7);
      assertThatThrownBy(() -> open(all).readObject())
          .isInstanceOf(OptionalDataException.class)
          .hasFieldOrPropertyWithValue("length", 4);
    }
  }

  private static UkaObjectInputStream open(byte[] bytes) throws IOException {
    return new UkaObjectInputStream(new ByteArrayInputStream(bytes));
  }

  @Test
  public void aStreamThatAppendsNothingLeavesNoTrace() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    appendingWithoutReset(bytes).close();
    assertThat(bytes.size()).isZero();
  }

  @Test
  public void aSeamIsTheFirstThingThatAStreamWithoutHeaderWrites() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    UkaObjectOutputStream out = appendingWithoutReset(bytes);
    out.writeObject("a");
    out.writeObject("b");
    assertThat(bytes.toByteArray())
        .isEqualTo(new byte[] {'U', 'K', 'A', (byte) 0x81, 1, 0x0D, 2, 0x11, 'a', 2, 0x11, 'b'});
  }

  /** Who reads no header learns from a seam which format it is. */
  @Test
  public void withoutAHeaderASeamTellsTheFormat() throws Exception {
    for (UkaOptions options : List.of(UKA, JDK)) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      writePart(appendingWithoutReset(bytes), 1, 10);
      for (InputStream source : sources(bytes.toByteArray())) {
        UkaObjectInputStream in =
            new UkaObjectInputStream(source, options) {
              @Override
              protected void readStreamHeader() {}
            };
        checkPart(in, 1, 10);
      }
    }
  }

  @Test
  public void hooksOfTheReaderAndItsFilterStayInForce() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writePart(new ObjectOutputStream(bytes), 1, 0);
    writePart(appending(bytes), 2, 0);
    List<String> seen = new ArrayList<>();
    List<Long> references = new ArrayList<>();
    UkaObjectInputStream in =
        new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
          {
            enableResolveObject(true);
          }

          @Override
          protected Class<?> resolveClass(ObjectStreamClass type)
              throws IOException, ClassNotFoundException {
            seen.add(type.getName());
            return super.resolveClass(type);
          }

          @Override
          protected Object resolveObject(Object object) {
            return object instanceof Node node ? new Node(node.value + 10, node.text) : object;
          }
        };
    in.setObjectInputFilter(
        info -> {
          if (info.depth() > 0) { // what a hook of the JDK's checks has no counts
            references.add(info.references());
          }
          return ObjectInputFilter.Status.UNDECIDED;
        });
    assertThat(((Node) in.readObject()).value).isEqualTo(11);
    in.readObject();
    in.readInt();
    in.readObject();
    int before = references.size();
    assertThat(((Node) in.readObject()).value).isEqualTo(12);
    assertThat(seen).filteredOn(Node.class.getName()::equals).hasSize(2);
    assertThat(references).isSorted();
    assertThat(references.subList(before, references.size())).isNotEmpty();
  }

  @Test
  public void theBytesOfASeamAreRefusedWithinAnObject() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(new Object[] {"a", null});
    byte[] whole = bytes.toByteArray();
    byte[] cut = Arrays.copyOf(whole, whole.length - 1 + SEAM.length);
    System.arraycopy(SEAM, 0, cut, whole.length - 1, SEAM.length);
    assertThatThrownBy(() -> open(cut).readObject())
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessage("invalid type code: 55");
  }

  @Test
  public void whatOnlyBeginsAsASeamIsRefusedAsByTheJdk() throws Exception {
    for (byte[] wrong : List.of(new byte[] {'U'}, new byte[] {'U', 'K', 'A', 1, 1, 0x0D, 1, 0})) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ObjectOutputStream out = new ObjectOutputStream(bytes);
      out.writeObject("a");
      out.flush();
      bytes.write(wrong);
      List<ObjectInputStream> streams =
          List.of(
              new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())),
              open(bytes.toByteArray()));
      for (ObjectInputStream in : streams) {
        assertThat(in.readObject()).isEqualTo("a");
        for (int i = 0; i < 3; i++) {
          assertThatThrownBy(in::readObject)
              .isExactlyInstanceOf(StreamCorruptedException.class)
              .hasMessage("invalid type code: 55");
          assertThatThrownBy(in::readInt).isExactlyInstanceOf(StreamCorruptedException.class);
        }
      }
    }
  }

  @Test
  public void aSecondHeaderIsRefused() throws Exception {
    for (Opener first : FIRST) {
      for (Opener second : FIRST) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writePart(first.open(bytes), 1, 0);
        writePart(second.open(bytes), 2, 0);
        UkaObjectInputStream in = open(bytes.toByteArray());
        checkPart(in, 1, 0);
        assertThatThrownBy(in::readObject).isInstanceOf(IOException.class);
      }
    }
  }
}
