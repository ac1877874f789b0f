package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.tcp.TcpProvider;
import io.karmi.technology.Pipe;
import io.karmi.technology.Pipes;
import io.karmi.technology.Technology;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A node against peers that have the key to it and send frames which no node would send, over TCP.
 */
public class HostileFramesTest {
  private static final int HEADER = MessageFrame.HEADER_BYTES;

  private final Messaging node = Messaging.ofThisNode();
  private final AtomicInteger received = new AtomicInteger();
  private Registration receiver;
  private Technology network;

  record Ping(int number) implements Serializable {}

  record Ask(Address back) implements Serializable {}

  @Before
  public void begin() throws IOException {
    receiver = node.receive(Ping.class, (message, from) -> received.incrementAndGet());
    network = new TcpProvider().open(new Callee((call, in, out) -> in.endArguments()));
    network.listen(0);
  }

  @After
  public void end() {
    receiver.close();
    network.close();
  }

  private Pipe enemy() throws IOException {
    Address address = node.address();
    TechnologyId way = address.object().technology("tcp");
    assertThat(way).isNotNull();
    return ((Pipes) network).open(address.node(), way, address.object().number());
  }

  private static byte[] frame(int lane, int kind, byte... body) {
    byte[] frame = new byte[HEADER + (body.length + 7 & -8)];
    MessageFrame.putHeader(frame, 0, body.length, lane, kind);
    System.arraycopy(body, 0, frame, HEADER, body.length);
    return frame;
  }

  private static byte[] number(long number) {
    byte[] bytes = new byte[Long.BYTES];
    MessageFrame.putLong(bytes, 0, number);
    return bytes;
  }

  private static byte[] object(Object object) throws IOException {
    OutputBuffer buffer = new OutputBuffer(64);
    new UkaObjectOutputStream(buffer).writeObject(object);
    return Arrays.copyOf(buffer.bytes, buffer.position);
  }

  private static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** The node closes the connection after these bytes, and serves the next peer. */
  private void isEndedBy(String what, byte[]... frames) throws Exception {
    try (Pipe peer = enemy()) {
      try {
        for (byte[] frame : frames) {
          peer.send(frame, 0, frame.length);
        }
      } catch (IOException e) {
        assertThat(e).isNotNull(); // closed already
      }
      CountDownLatch closed = new CountDownLatch(1);
      Thread reader = new Thread(() -> readToEnd(peer, closed));
      reader.start();
      assertThat(closed.await(30, TimeUnit.SECONDS)).as("closed after %s", what).isTrue();
      reader.join();
    }
    servesTheNext(what);
  }

  private static void readToEnd(Pipe peer, CountDownLatch closed) {
    byte[] bytes = new byte[4096];
    try {
      int count;
      do {
        count = peer.receive(bytes, 0, bytes.length);
      } while (count >= 0);
    } catch (IOException e) {
      assertThat(e).isNotNull(); // reset
    }
    closed.countDown();
  }

  private void servesTheNext(String after) throws Exception {
    try (Pipe peer = enemy()) {
      isServed(peer, after);
    }
  }

  private void isServed(Pipe peer, String after) throws Exception {
    int before = received.get();
    byte[] good = frame(3, MessageFrame.MESSAGE, object(new Ping(1)));
    peer.send(good, 0, good.length);
    Deadline.await("a message after " + after, () -> received.get() > before);
  }

  /** These bytes do no harm, not even to their own connection. */
  private void isIgnored(String what, byte[]... frames) throws Exception {
    try (Pipe peer = enemy()) {
      for (byte[] frame : frames) {
        peer.send(frame, 0, frame.length);
      }
      isServed(peer, what);
    }
  }

  @Test
  public void framesThatNoNodeSendsEndTheirLink() throws Exception {
    byte[] good = object(new Ping(1));
    isEndedBy("lane 16", frame(16, MessageFrame.MESSAGE, good));
    isEndedBy("lane 255", frame(255, MessageFrame.MESSAGE, good));
    isEndedBy("kind 7", frame(0, 7));
    isEndedBy("kind 0x1F", frame(0, 0x1F, good));
    isEndedBy("a credit with more to come", frame(0, 0x80 | MessageFrame.CREDIT, number(0)));
    isEndedBy("a fresh credit", frame(0, 0x40 | MessageFrame.CREDIT, number(0)));
    isEndedBy("a part without bytes", frame(0, MessageFrame.MORE));
    isEndedBy("a kind of two bytes", frame(0, 0x100, good));
    isEndedBy("a renewal of a lane that is not there", frame(15, MessageFrame.RENEW, good));
    isEndedBy("a request without its number", frame(1, MessageFrame.REQUEST, (byte) 1, (byte) 2));
  }

  @Test
  public void headersThatNoNodeSendsEndTheirLink() throws Exception {
    byte[] good = object(new Ping(1));
    int message = MessageFrame.HEADER | MessageFrame.MESSAGE;
    byte[] none = {0};
    isIgnored("an empty header", frame(1, message, join(none, good)));
    isEndedBy("a header of 65 entries", frame(1, message, (byte) 65));
    isEndedBy("a header without its entry", frame(1, message, (byte) 1));
    isEndedBy(
        "a name of 16,385 bytes", frame(1, message, (byte) 1, (byte) 0x81, (byte) 0x80, (byte) 1));
    isEndedBy("a text that is cut off", frame(1, message, (byte) 1, (byte) 0, (byte) 9, (byte) 65));
    isEndedBy(
        "a header of a credit", frame(0, MessageFrame.HEADER | MessageFrame.CREDIT, number(0)));
    isEndedBy(
        "a header of an answer", frame(1, MessageFrame.HEADER | MessageFrame.ANSWER, number(1)));
  }

  @Test
  public void lengthsThatLieEndTheirLink() throws Exception {
    byte[] body = object(new Ping(1));
    for (int length : new int[] {-1, Integer.MIN_VALUE, 65_537, Integer.MAX_VALUE, 1 << 24}) {
      byte[] lying = frame(2, MessageFrame.MESSAGE, body);
      MessageFrame.putHeader(lying, 0, length, 2, MessageFrame.MESSAGE);
      isEndedBy("a length of " + length, lying);
    }
    isEndedBy("a credit of 4 bytes", frame(0, MessageFrame.CREDIT, new byte[4]));
    isEndedBy("a goodbye with content", frame(0, MessageFrame.GOODBYE, new byte[8]));
  }

  @Test
  public void creditsThatWereNotEarnedEndTheirLink() throws Exception {
    for (long credit : new long[] {1, 8, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      isEndedBy("a credit of " + credit, frame(0, MessageFrame.CREDIT, number(credit)));
    }
    isIgnored("a credit for nothing", frame(0, MessageFrame.CREDIT, number(0)));
  }

  @Test
  public void windowsThatAreNotTheirsEndTheirLink() throws Exception {
    long longest = 8 * 512 * 1024;
    for (long window : new long[] {0, longest, Long.MAX_VALUE, -1, -8, -longest, Long.MIN_VALUE}) {
      isEndedBy("a window of " + window, frame(0, MessageFrame.WINDOW, number(window)));
    }
    isEndedBy("a window of 4 bytes", frame(0, MessageFrame.WINDOW, new byte[4]));
    isEndedBy("a kind behind it", frame(0, 10, number(0)));
    isIgnored("a window", frame(0, MessageFrame.WINDOW, number(512 * 1024)));
  }

  @Test
  public void knocksAndWaysThatWereNotAskedForAreIgnored() throws Exception {
    byte[] way = "tcp 127.0.0.1:1".getBytes(StandardCharsets.US_ASCII);
    isIgnored(
        "knocks",
        frame(0, MessageFrame.KNOCK, number(0)),
        frame(0, MessageFrame.KNOCK, number(1)),
        frame(0, MessageFrame.KNOCK, number(-1)));
    isIgnored(
        "ways",
        frame(0, MessageFrame.JOINED, number(0)),
        frame(0, MessageFrame.JOINED, join(number(0), way)),
        frame(0, MessageFrame.JOINED, join(number(7), way)));
    isEndedBy("a knock of 4 bytes", frame(0, MessageFrame.KNOCK, new byte[4]));
    isEndedBy("a knock with a way", frame(0, MessageFrame.KNOCK, join(number(1), way)));
    isEndedBy("a way without its number", frame(0, MessageFrame.JOINED, new byte[7]));
    isEndedBy("a way of 505 bytes", frame(0, MessageFrame.JOINED, new byte[8 + 505]));
  }

  @Test
  public void senderThatDoesNotWaitForCreditsIsEnded() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Registration slow = node.receive(Ask.class, (message, from) -> go.await(60, TimeUnit.SECONDS));
    try {
      byte[] part = new byte[MessageFrame.PART_BYTES];
      byte[][] flood = new byte[40][];
      byte[] ask = object(new Ask(null));
      System.arraycopy(ask, 0, part, 0, ask.length);
      Arrays.fill(flood, frame(0, MessageFrame.MESSAGE, part)); // lane 0: one after the other
      isEndedBy("more than the window", flood);
    } finally {
      go.countDown();
      slow.close();
    }
  }

  @Test
  public void answersToNothingAndUnreadableObjectsAreIgnored() throws Exception {
    byte[] ping = object(new Ping(1));
    isIgnored(
        "answers to nothing",
        frame(1, MessageFrame.ANSWER, join(number(1), ping)),
        frame(1, MessageFrame.FAILURE, join(number(-1), ping)),
        frame(1, MessageFrame.ANSWER, join(number(Long.MAX_VALUE), new byte[0])));
    isIgnored(
        "messages without objects",
        frame(1, MessageFrame.MESSAGE),
        frame(1, MessageFrame.MESSAGE, (byte) 0x7F),
        frame(1, MessageFrame.MESSAGE, (byte) 0x85, (byte) 1, (byte) 2),
        frame(2, MessageFrame.MESSAGE, new byte[5000]));
    isIgnored(
        "requests without objects",
        frame(1, MessageFrame.REQUEST, number(1)),
        frame(1, MessageFrame.REQUEST, join(number(1), new byte[] {0x02, 0x01, (byte) 0xFF})));
    isIgnored(
        "renewals",
        frame(0, MessageFrame.RENEW),
        frame(0, MessageFrame.RENEW),
        frame(1, MessageFrame.RENEW));
  }

  @Test
  public void randomBytesEndTheirLinkOrAreIgnored() throws Exception {
    Random random = new Random(11);
    for (int i = 0; i < 40; i++) {
      byte[] bytes = new byte[1 + random.nextInt(3000)];
      random.nextBytes(bytes);
      try (Pipe peer = enemy()) {
        try {
          peer.send(bytes, 0, bytes.length);
        } catch (IOException e) {
          assertThat(e).isNotNull();
        }
      }
    }
    servesTheNext("random bytes");
    for (int i = 0; i < 40; i++) {
      try (Pipe peer = enemy()) {
        sendRandomObjects(peer, random);
      }
    }
    servesTheNext("random objects");
  }

  /** Frames that are right, with messages that were right before some bytes were changed. */
  private static void sendRandomObjects(Pipe peer, Random random) throws IOException {
    try {
      for (int j = 0; j < 200; j++) {
        byte[] body = object(new Object[] {new Ping(j), List.of(1, "a"), new int[] {j}});
        for (int k = random.nextInt(3); k >= 0; k--) {
          body[random.nextInt(body.length)] = (byte) random.nextInt();
        }
        byte[] frame = frame(random.nextInt(4), MessageFrame.MESSAGE, body);
        peer.send(frame, 0, frame.length);
      }
    } catch (IOException e) {
      assertThat(e).isNotNull(); // closed
    }
  }
}
