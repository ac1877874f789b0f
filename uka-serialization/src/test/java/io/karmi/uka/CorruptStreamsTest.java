package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.Externalizable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.Test;

/**
 * A byte that no writer wrote between two objects, streams that are cut off, and sources that fail.
 * Many programs read until an {@link EOFException} comes, so that must be the end and nothing else.
 */
public class CorruptStreamsTest {
  private interface Opener {
    ObjectInputStream open(InputStream in) throws IOException;
  }

  private interface Maker {
    ObjectOutputStream make(ByteArrayOutputStream out) throws IOException;
  }

  private record Pair(String text, int number) implements Serializable {}

  /** Reads data of its own until there is none. */
  private static final class UntilTheEnd implements Serializable {
    private static final long serialVersionUID = 1;
    private transient int sum;

    private void writeObject(ObjectOutputStream out) throws IOException {
      for (int i = 0; i < 40; i++) {
        out.writeInt(i);
      }
    }

    private void readObject(ObjectInputStream in) throws IOException {
      try {
        while (true) {
          sum += in.readInt();
        }
      } catch (EOFException e) {
        sum = -sum;
      }
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof UntilTheEnd && sum + ((UntilTheEnd) other).sum == -780;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  private static final Maker UKA =
      out -> new UkaObjectOutputStream(out, new UkaOptions(UkaOptions.Format.UKA));

  private static final List<Object> VALUES =
      List.of(
          "def",
          7,
          new Pair("text", 3),
          new int[] {1, 2, 3},
          List.of("a", 1, List.of()),
          new HashMap<>(Map.of("key", new Pair("value", 1))),
          new ArrayList<>(IntStream.range(0, 300).boxed().toList()),
          new UntilTheEnd());

  private static byte[] withStray(Maker maker, int stray, Object behind) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = maker.make(bytes);
    out.writeObject("abc");
    out.flush();
    bytes.write(stray);
    out.writeObject(behind);
    out.flush();
    return bytes.toByteArray();
  }

  /** Classes of what the second object throws, or {@code read}, by the stray byte. */
  private static List<String> outcomes(Maker maker, Opener opener, Object behind)
      throws IOException, ClassNotFoundException {
    List<String> outcomes = new ArrayList<>();
    for (int stray = 0; stray < 256; stray++) {
      byte[] bytes = withStray(maker, stray, behind);
      ObjectInputStream in = opener.open(new ByteArrayInputStream(bytes));
      assertThat(in.readObject()).isEqualTo("abc");
      String outcome = "read";
      try {
        in.readObject();
      } catch (IOException | ClassNotFoundException | RuntimeException e) {
        outcome = e.getClass().getName();
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  @Test
  public void aStrayByteInTheJdksFormatIsToldAsByTheJdk() throws Exception {
    for (Object behind : VALUES) {
      List<String> stock = outcomes(ObjectOutputStream::new, ObjectInputStream::new, behind);
      assertThat(outcomes(RewiredObjectOutputStream::new, RewiredObjectInputStream::new, behind))
          .as("before %s", behind)
          .isEqualTo(stock);
    }
  }

  @Test
  public void aStrayByteInUkasFormatIsNoEnd() throws Exception {
    for (Object behind : VALUES) {
      assertThat(new TreeSet<>(outcomes(UKA, UkaObjectInputStream::new, behind)))
          .as("before %s", behind)
          .doesNotContain(EOFException.class.getName())
          .contains(java.io.StreamCorruptedException.class.getName());
    }
  }

  /** A source that gives at most one byte at once. */
  private static InputStream slowly(byte[] bytes, int length) {
    return new FilterInputStream(new ByteArrayInputStream(bytes, 0, length)) {
      @Override
      public int read(byte[] to, int offset, int count) throws IOException {
        return super.read(to, offset, Math.min(1, count));
      }
    };
  }

  @Test
  public void aStreamInUkasFormatThatIsCutOffIsCorruptUnlessItIsCutBetweenTwoObjects()
      throws Exception {
    Object[] large = IntStream.range(0, 40_000).mapToObj(Integer::toString).toArray();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = UKA.make(bytes);
    List<Integer> ends = new ArrayList<>(List.of(bytes.size()));
    List<Object> written = new ArrayList<>(VALUES);
    written.add(large);
    for (Object value : written) {
      out.writeObject(value);
      ends.add(bytes.size());
    }
    byte[] all = bytes.toByteArray();
    int beforeLarge = ends.get(ends.size() - 2);
    for (int length = ends.get(0); length < all.length; length += length < beforeLarge ? 1 : 4099) {
      for (InputStream source :
          List.of(new ByteArrayInputStream(all, 0, length), slowly(all, length))) {
        checkCut(new UkaObjectInputStream(source), ends, length);
      }
    }
  }

  private static void checkCut(ObjectInputStream in, List<Integer> ends, int length)
      throws ClassNotFoundException {
    int read = 0;
    String outcome = null;
    while (outcome == null) {
      try {
        Object value = in.readObject();
        assertThat(value).isEqualTo(VALUES.get(read++));
      } catch (IOException e) {
        outcome = e.getClass().getName();
      }
    }
    int end = ends.indexOf(length);
    assertThat(outcome)
        .as("%s bytes", length)
        .isEqualTo(
            end >= 0
                ? EOFException.class.getName()
                : java.io.StreamCorruptedException.class.getName());
    if (end >= 0) {
      assertThat(read).isEqualTo(end);
    }
  }

  private interface Read {
    Object of(ObjectInputStream in) throws IOException, ClassNotFoundException;
  }

  private static final List<Read> READS =
      List.of(
          ObjectInputStream::readObject,
          ObjectInputStream::read,
          ObjectInputStream::readDouble,
          ObjectInputStream::available,
          ObjectInputStream::readUnshared);

  /**
   * What comes of a source that ends, behind the first object that it does not contain whole: each
   * result, or the class of the exception.
   */
  private static List<Object> behindTheEnd(Opener opener, InputStream source) throws IOException {
    ObjectInputStream in = opener.open(source);
    List<Object> outcomes = new ArrayList<>();
    int reads = 0;
    while (reads < 2 * READS.size()) {
      Read read =
          outcomes.contains(EOFException.class) ? READS.get(reads++ % READS.size()) : READS.get(0);
      try {
        outcomes.add(read.of(in));
      } catch (IOException | ClassNotFoundException e) {
        outcomes.add(e.getClass());
        reads++;
      }
    }
    return outcomes;
  }

  @Test
  public void whatIsLeftOfACutValueInTheJdksFormatIsNotReadAsAnother() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    int header = bytes.size();
    for (Object value : List.of("def", 7, 1.5, new Pair("text", 3), List.of("a", 1))) {
      out.writeObject(value);
    }
    byte[] all = bytes.toByteArray();
    for (int length = header; length < all.length; length++) {
      List<Object> stock = behindTheEnd(ObjectInputStream::new, slowly(all, length));
      for (InputStream source :
          List.of(new ByteArrayInputStream(all, 0, length), slowly(all, length))) {
        assertThat(behindTheEnd(RewiredObjectInputStream::new, source))
            .as("%s of %s bytes", length, all.length)
            .isEqualTo(stock);
      }
    }
  }

  /** A source that is interrupted once, in front of the byte at {@code stop}. */
  private static InputStream interrupted(byte[] bytes, int stop) {
    return new InputStream() {
      private int next;
      private boolean interrupted;

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        if (next == stop && !interrupted) {
          interrupted = true;
          throw new SocketTimeoutException("stop");
        }
        int count = Math.min(length, (next < stop ? stop : bytes.length) - next);
        System.arraycopy(bytes, next, to, offset, count);
        next += count;
        return count == 0 ? -1 : count;
      }
    };
  }

  @Test
  public void aTimeOutOfTheSourceIsToldAsSuchWhereverItComes() throws Exception {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format));
      int header = bytes.size();
      out.writeObject(VALUES.toArray());
      for (int stop = header; stop < bytes.size(); stop++) {
        InputStream source = interrupted(bytes.toByteArray(), stop);
        assertThatThrownBy(new UkaObjectInputStream(source)::readObject)
            .as("%s at %d", format, stop)
            .isInstanceOf(SocketTimeoutException.class);
      }
    }
  }

  /** A decimal number is made after the number in it has been read. */
  @Test
  public void aClassThatIsAnObjectStillBeingReadIsCorruption() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(written)) {
      out.writeObject(new BigDecimal("12.5"));
    }
    String text = written.toString(StandardCharsets.ISO_8859_1);
    int number = text.indexOf("sr\0\u0014java.math.BigInteger");
    assertThat(number).as("the number within").isPositive();
    String forged = text.substring(0, number) + "sq\0\u007e\0\u0003";
    byte[] bytes = forged.getBytes(StandardCharsets.ISO_8859_1);

    assertThatThrownBy(() -> new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject())
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("a class");
  }

  /** Refuses what it has read. */
  private static final class Refusing implements Serializable {
    String text = "text";

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      throw new InvalidObjectException("refused");
    }
  }

  /** Goes on behind a part that is refused, and leaves the rest. */
  public static final class Tolerant implements Externalizable {
    boolean refused;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeObject(new Refusing());
      out.writeInt(1);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      try {
        in.readObject();
      } catch (InvalidObjectException e) {
        refused = true;
      }
    }
  }

  /* The JDK's streams do not end here. */
  @Test(timeout = 60_000)
  public void skippingEndsBehindAPartThatHasFailed() throws Exception {
    for (UkaOptions.Format format : UkaOptions.Format.values()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ObjectOutputStream out = new UkaObjectOutputStream(bytes, new UkaOptions(format));
      out.writeObject(new Tolerant());
      out.writeObject("next");
      ObjectInputStream in =
          new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
      assertThat(((Tolerant) in.readObject()).refused).as("in %s", format).isTrue();
      assertThat(in.readObject()).isEqualTo("next");
    }
  }

  @Test
  public void anErrorOfTheSourceInsideABlockLosesNothing() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    out.write(new byte[100]);
    out.writeUTF("behind it");
    out.flush();
    int stop = bytes.size() - 20;
    InputStream source =
        new FilterInputStream(new ByteArrayInputStream(bytes.toByteArray())) {
          private int next;
          private boolean failed;

          @Override
          public int read(byte[] to, int offset, int length) throws IOException {
            if (next == stop && !failed) {
              failed = true;
              throw new UncheckedIOException(new IOException("once"));
            }
            int wanted = next < stop ? Math.min(length, stop - next) : length;
            int count = super.read(to, offset, wanted);
            next += count;
            return count;
          }
        };
    ObjectInputStream in = new UkaObjectInputStream(source);
    assertThat(in.read(new byte[91])).isEqualTo(91);
    assertThatThrownBy(() -> in.readFully(new byte[9])).isInstanceOf(UncheckedIOException.class);
    assertThat(in.skipBytes(9)).isEqualTo(9);
    assertThat(in.readUTF()).isEqualTo("behind it");
  }

  /** Has data of its own, longer than a block. */
  private static final class Filled implements Serializable {
    private static final int LENGTH = 3000;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.write(new byte[LENGTH]);
    }

    private void readObject(ObjectInputStream in) throws IOException {
      in.readFully(new byte[LENGTH]);
    }
  }

  @Test
  public void aSourceThatIsClosedInsideAnObjectSaysSoAsOftenAsItIsAsked() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    int header = bytes.size();
    out.writeObject(new Object[] {VALUES.toArray(), new Filled(), "after"});
    for (int stop = header; stop < bytes.size(); stop++) {
      InputStream arrived = new ByteArrayInputStream(bytes.toByteArray(), 0, stop);
      InputStream source =
          new FilterInputStream(arrived) {
            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
              int count = super.read(to, offset, length);
              if (count < 0) {
                throw new SocketException("Socket closed");
              }
              return count;
            }
          };
      ObjectInputStream in = new UkaObjectInputStream(source);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(in::readObject)
            .as("object %d of %d bytes", i, stop)
            .isInstanceOf(SocketException.class);
      }
    }
  }
}
