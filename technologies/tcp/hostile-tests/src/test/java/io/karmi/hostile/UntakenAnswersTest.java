package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Attacks;
import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Jvm;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Test;

/**
 * Peers that ask, and say of no answer that they have processed it, or of a few bytes at a time.
 */
public class UntakenAnswersTest {
  private static final int REQUEST = 1;
  private static final int CREDIT = 4;
  private static final int LONG_BYTES = 30_000;
  private static final int WRITE_MILLIS = 4000;

  private static final String SMALL_HEAP = "-Xmx128m";

  /** In half of it the lists of many handlers come near to filling the heap (decision 0102). */
  private static final String LARGER_HEAP = "-Xmx256m";

  private static final int LONG_ANSWERS = 1000;

  /** As many as fit into the window of answers. */
  private static final int LONG_REQUESTS = 17;

  /** Links of one host, and what each asks for: 200 KB in all. */
  private static final int MANY_LINKS = 200;

  private static final int REQUESTS_OF_EACH = 20;

  /** Of another host meanwhile. */
  private static final int CLIENTS = 20;

  private static final int SHORT_REQUESTS = 400;
  private static final int LANES = 15;
  private static final int LINKS = 6;

  /** While as many handlers as there are may get to wait. */
  private static final int ATTEMPTS = 100;

  private final List<Closeable> peers = new CopyOnWriteArrayList<>();
  private Jvm node;
  private SocketDoor door;
  private int port;
  private long object;

  private void start(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-Dkarmi.technologies=tcp", Besieged.class.getName()));
    node = Jvm.start(arguments.toArray(new String[0]));
    port = Integer.parseInt(node.awaitLine("port "));
    door = new SocketDoor(port);
    object = Long.parseLong(node.awaitLine("object "));
  }

  @After
  public void end() throws IOException {
    for (Closeable each : peers) {
      each.close();
    }
    node.close();
  }

  private static byte[] request(int number, int bytes) {
    WireBytes text = new WireBytes().int64(number).u8(0x03).number(bytes).raw(new byte[bytes]);
    return text.toArray();
  }

  private static byte[] request(int number, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return new WireBytes().int64(number).u8(0x03).number(bytes.length).raw(bytes).toArray();
  }

  /** Asks for answers that have more bytes together than the heap of a small node. */
  private void askForLongAnswers(int number, String text) throws IOException {
    RawPeer peer = Attacks.keyed(door, 6, number, object);
    peers.add(peer);
    for (int i = 0; i < LONG_ANSWERS; i++) {
      Attacks.sendFrame(peer, 1 + i % LANES, REQUEST, request(1 + i, text));
    }
  }

  /** Asks for more than the node may send without a credit, and then for much more. */
  private RawPeer ask(int number) throws IOException {
    RawPeer peer = Attacks.keyed(door, 6, number, object);
    peers.add(peer);
    long processed = 0;
    for (long sent = 0; sent < LONG_REQUESTS * (long) LONG_BYTES; sent += LONG_BYTES) {
      if (sent - processed > 200_000) {
        processed = Attacks.awaitCredit(peer, sent - 200_000);
      }
      int i = (int) (sent / LONG_BYTES);
      Attacks.sendFrame(peer, 1 + i % LANES, REQUEST, request(1 + i, LONG_BYTES));
    }
    for (int i = 0; i < SHORT_REQUESTS; i++) {
      Attacks.sendFrame(peer, 1 + i % LANES, REQUEST, request(100 + i, 80));
    }
    return peer;
  }

  private void assertAnswersAnother() throws IOException {
    assertAnswersAnother(request(5, 100));
  }

  /** Asks over many links at once, from another host than the honest one. */
  private void askOverManyLinks(String text) {
    try {
      SocketDoor other = SocketDoor.ofOtherHost(port);
      for (int i = 0; i < MANY_LINKS; i++) {
        RawPeer peer = Attacks.keyed(other, 6, i, object);
        peers.add(peer);
        for (int k = 0; k < REQUESTS_OF_EACH; k++) {
          Attacks.sendFrame(peer, 1 + k % LANES, REQUEST, request(1 + k, text));
        }
      }
    } catch (IOException e) {
      return; // the node takes no more of them
    }
  }

  private void assertAnswersAnother(byte[] request) throws IOException {
    long begin = System.nanoTime();
    try (RawPeer honest = Attacks.keyed(door, 8, 1, object)) {
      Attacks.sendFrame(honest, 3, REQUEST, request);
      assertThat(Attacks.readAnswer(honest, 5)).isTrue();
    }
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(10));
  }

  @Test
  public void othersAreAnsweredMeanwhile() throws Exception {
    start();
    for (int i = 0; i < LINKS; i++) {
      ask(i);
      assertAnswersAnother();
    }
    for (int i = 0; i < ATTEMPTS; i++) {
      assertAnswersAnother();
    }
  }

  @Test
  public void longAnswersLeaveMemory() throws Exception {
    start(SMALL_HEAP);
    for (int i = 0; i < 3; i++) {
      askForLongAnswers(i, "bytes 200000");
      assertAnswersAnother();
    }
  }

  @Test
  public void answersOfManyObjectsLeaveMemory() throws Exception {
    start(SMALL_HEAP);
    for (int i = 0; i < 3; i++) {
      askForLongAnswers(i, "numbers 50000");
      assertAnswersAnother();
    }
  }

  @Test
  public void manyHandlersThatMakeLongAnswersLeaveOthersServed() throws Exception {
    start(LARGER_HEAP);
    Thread asking = new Thread(() -> askOverManyLinks("numbers 100000"), "asks over many links");
    asking.setDaemon(true);
    asking.start();
    for (int i = 0; i < CLIENTS || asking.isAlive(); i++) {
      assertAnswersAnother();
    }
  }

  @Test
  public void longAnswersOfFuturesLeaveMemoryAndTheThreadThatCompletesThem() throws Exception {
    start(SMALL_HEAP);
    for (int i = 0; i < 3; i++) {
      askForLongAnswers(i, "later bytes 200000");
      assertAnswersAnother();
      assertAnswersAnother(request(5, "later bytes 10"));
    }
  }

  @Test
  public void moreAnswersThanThereIsMemoryForAllComeIfTheyAreTaken() throws Exception {
    start(SMALL_HEAP, "-Dkarmi.messaging.open=true");
    Address address = Address.at("127.0.0.1", port);
    List<CompletableFuture<byte[]>> answers = new ArrayList<>();
    for (int i = 0; i < LONG_ANSWERS; i++) {
      answers.add(Messaging.ofThisNode().request("bytes 200000", address));
    }
    for (CompletableFuture<byte[]> each : answers) {
      assertThat(each.get(60, TimeUnit.SECONDS)).hasSize(200_000);
    }
  }

  @Test
  public void linkIsLostThatProcessesAFewBytesNowAndThen() throws Exception {
    start("-Dkarmi.writeTimeout=" + WRITE_MILLIS);
    long begin = System.nanoTime();
    CountDownLatch over = new CountDownLatch(1);
    Thread trickle = new Thread(() -> askAndTrickle(over), "trickle");
    trickle.setDaemon(true);
    trickle.start();
    assertThat(over.await(40, TimeUnit.SECONDS)).as("the node has ended the link").isTrue();
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
        .as("ms until then")
        .isGreaterThanOrEqualTo(WRITE_MILLIS);
    assertAnswersAnother();
  }

  /** The node may end the link while this still asks, on a slow machine. */
  private void askAndTrickle(CountDownLatch over) {
    try {
      RawPeer peer = ask(0);
      for (int credit = 8; ; credit += 8) {
        Attacks.sendFrame(peer, 0, CREDIT, new WireBytes().int64(credit).toArray());
        TimeUnit.MILLISECONDS.sleep(100);
      }
    } catch (IOException | InterruptedException e) {
      over.countDown();
    }
  }
}
