package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** Streams inside the frames of another protocol: one per connection, many messages. */
public class EmbeddedStreamTest {
  /** Enough for code to be generated for each class. */
  private static final int MESSAGES = 150;

  static final class Point implements Serializable {
    private static final long serialVersionUID = 1;
    int x;
    int y;
    Point twin;
  }

  static final class Line implements Serializable {
    private static final long serialVersionUID = 1;
    Object end = new Object();
  }

  private final OutputBuffer sent = new OutputBuffer(16);
  private final UkaObjectOutputStream out;
  private final InputBuffer received = new InputBuffer(new byte[0], 0, 0);
  private final UkaObjectInputStream in;

  public EmbeddedStreamTest() throws IOException {
    out = new UkaObjectOutputStream(sent);
    in = new UkaObjectInputStream(received);
  }

  /** Writes one message and returns its length. */
  private int send(Object... values) throws IOException {
    sent.position = 0;
    out.resetObjects();
    for (Object value : values) {
      out.writeObject(value);
    }
    return sent.position;
  }

  private Object receive() throws IOException, ClassNotFoundException {
    return receive(in);
  }

  private Object receive(UkaObjectInputStream in) throws IOException, ClassNotFoundException {
    received.bytes = sent.bytes;
    received.position = 0;
    received.limit = sent.position;
    in.resetObjects();
    return in.readObject();
  }

  @Test
  public void eachObjectOfAChainHasItsOwnWidth() throws Exception {
    int[] numbers = {1, 1_000_000_000, -3, 300, -40_000, 5, Integer.MIN_VALUE, 0};
    Point first = null;
    for (int number : numbers) {
      Point point = new Point();
      point.x = number;
      point.y = -number;
      point.twin = first;
      first = point;
    }
    for (int message = 0; message < MESSAGES; message++) {
      send(first);
      Point point = (Point) receive();
      for (int i = numbers.length - 1; i >= 0; i--) {
        assertThat(point.x).isEqualTo(numbers[i]);
        assertThat(point.y).isEqualTo(-numbers[i]);
        point = point.twin;
      }
      assertThat(point).isNull();
    }
  }

  @Test
  public void aChainMayBeACircle() throws Exception {
    for (int message = 0; message < MESSAGES; message++) {
      Point first = new Point();
      first.twin = new Point();
      first.twin.twin = first;
      send(first);
      Point read = (Point) receive();
      assertThat(read.twin).isNotSameAs(read);
      assertThat(read.twin.twin).isSameAs(read);
    }
  }

  static final class Late implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** Finds classes by a loader that can be exchanged; only the first one knows {@link Late}. */
  private static final class Rebound extends ConnectionInputStream {
    ClassLoader loader = EmbeddedStreamTest.class.getClassLoader();

    Rebound(InputBuffer buffer) throws IOException {
      super(buffer);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      boolean first = loader == EmbeddedStreamTest.class.getClassLoader();
      if (!first && description.getName().equals(Late.class.getName())) {
        throw new InvalidClassException(description.getName(), "not for this reader");
      }
      return Class.forName(description.getName(), false, loader);
    }
  }

  @Test
  public void noObjectIsOfAnEarlierReadersClassIfRebindingFailsHalfway() throws Exception {
    Rebound in = new Rebound(received);
    for (int message = 0; message < MESSAGES; message++) {
      send(message == 1 ? new Late() : new Point());
      receive(in);
    }
    URL classes = getClass().getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader other = new URLClassLoader(new URL[] {classes}, null)) {
      in.loader = other;
      assertThatThrownBy(in::rebindTypes).isInstanceOf(InvalidClassException.class);
      send(new Point());
      assertThat(receive(in).getClass().getClassLoader()).isSameAs(other);
    }
  }

  @Test
  public void aTypeOfWhichOnlyTheBeginningWasReadIsNotBoundAgain() throws Exception {
    Rebound in = new Rebound(received);
    URL classes = getClass().getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader other = new URLClassLoader(new URL[] {classes}, null)) {
      in.loader = other;
      send(new Late());
      assertThatThrownBy(() -> receive(in)).isInstanceOf(InvalidClassException.class);
      in.loader = EmbeddedStreamTest.class.getClassLoader();
      in.rebindTypes();
      send(new Late());
      assertThatThrownBy(() -> receive(in)).isInstanceOf(IOException.class);
      send(new Point());
      assertThat(receive(in)).isInstanceOf(Point.class);
    }
  }

  @Test
  public void thereIsNoHeader() throws IOException {
    assertThat(sent.position).isZero();
    assertThat(send((Object) null)).isEqualTo(1);
  }

  @Test
  public void resetObjectsKeepsTypes() throws Exception {
    int first = send(new Point());
    receive();
    int second = send(new Point());
    assertThat(second).as("type, two small ints, null").isEqualTo(4).isLessThan(first);
    assertThat(receive()).isInstanceOf(Point.class);
  }

  @Test
  public void objectsAreSentAgainWithTheirCurrentState() throws Exception {
    Point point = new Point();
    point.twin = point;
    send(point);
    receive();
    point.x = 5;
    send(point);
    Point copy = (Point) receive();
    assertThat(copy.x).isEqualTo(5);
    assertThat(copy.twin).isSameAs(copy);
  }

  @Test
  public void theCallerMayWriteBetweenObjects() throws Exception {
    out.writeObject("a");
    sent.writeInt(7);
    out.writeObject("b");
    received.bytes = sent.bytes;
    received.limit = sent.position;
    assertThat(in.readObject()).isEqualTo("a");
    assertThat(received.readInt()).isEqualTo(7);
    assertThat(in.readObject()).isEqualTo("b");
    assertThat(received.remaining()).isZero();
  }

  @Test
  public void discardMessageTakesBackItsTypes() throws Exception {
    send(new Point());
    receive();
    assertThatThrownBy(() -> send(new ArrayList<>(List.of(1)), new Line()))
        .isInstanceOf(NotSerializableException.class)
        .hasMessage("java.lang.Object");
    out.discardMessage();
    send(new ArrayList<>(List.of(new Point(), 2)));
    assertThat((List<?>) receive()).hasSize(2).element(1).isEqualTo(2);
  }

  @Test
  public void aTypeNumberNobodyHasSentIsRefused() throws Exception {
    int length = send(new Point());
    assertThat(length).isGreaterThan(10);
    send(new Point());
    assertThatThrownBy(this::receive).isInstanceOf(StreamCorruptedException.class);
  }

  @Test
  public void discardMessageForgetsTheMethodThatFailed() throws Exception {
    assertThatThrownBy(() -> send(new Interrupted())).hasMessage("enough");
    out.discardMessage();
    send("after");
    assertThat(receive()).isEqualTo("after");
  }

  static final class Interrupted implements Serializable {
    private static final long serialVersionUID = 1;

    private void writeObject(java.io.ObjectOutputStream out) throws IOException {
      out.writeInt(1);
      throw new IllegalStateException("enough");
    }
  }

  /** Refuses to be read, and leaves what it has written. */
  static final class Refusing implements Serializable {
    private static final long serialVersionUID = 1;

    private void writeObject(java.io.ObjectOutputStream to) throws IOException {
      to.writeLong(7);
      to.writeObject(new Point());
    }

    private void readObject(java.io.ObjectInputStream from) throws IOException {
      from.readInt();
      throw new IOException("refused");
    }
  }

  @Test
  public void aMessageWhoseReadingFailedIsForgotten() throws Exception {
    send(new Point());
    receive();
    send(new Refusing());
    assertThatThrownBy(this::receive).hasMessage("refused");
    Point point = new Point();
    point.twin = point;
    send(point, new Refusing());
    Point copy = (Point) receive();
    assertThat(copy.twin).isSameAs(copy);
    assertThatThrownBy(in::readObject).isInstanceOf(IOException.class).hasMessage("refused");
    send("after");
    assertThat(receive()).isEqualTo("after");
  }
}
