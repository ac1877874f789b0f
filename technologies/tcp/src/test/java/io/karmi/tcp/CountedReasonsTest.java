package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.Callee;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Test;

/** Connections of others that a node has refused or closed: each counts under its reason. */
public class CountedReasonsTest {
  private static final int LONG_BYTES = 64 << 20;
  private static final long METHOD = 7;

  /** Asks for a call that lasts. */
  private static final int LASTS = -1;

  private final Semaphore begun = new Semaphore(0);
  private final CountDownLatch over = new CountDownLatch(1);

  /** Returns as many bytes as its caller asks for, or none at the end of the test. */
  private final Callee node =
      new Callee(
          (call, in, out) -> {
            int bytes = in.readInt();
            in.endArguments();
            if (bytes == LASTS) {
              begun.release();
              over.await();
              bytes = 0;
            }
            out.beginResult();
            out.writeObject(new byte[bytes]);
          });

  private TcpTechnology server(String setting, String value) {
    return Wire.open(node, setting, value, "karmi.handshakeTimeout", "600000");
  }

  private static RawPeer introduced(TechnologyId way) throws IOException {
    return RawPeer.introduced(new SocketDoor(Wire.port(way)), 1, 2);
  }

  /** A connection whose call is executed. */
  private RawPeer busy(TechnologyId way) throws Exception {
    RawPeer peer = introduced(way);
    peer.message(RawPeer.CALL, request(peer, LASTS));
    assertThat(begun.tryAcquire(60, TimeUnit.SECONDS)).as("the call is executed").isTrue();
    return peer;
  }

  @After
  public void endCalls() {
    over.countDown();
  }

  private static void assertRefused(TechnologyId way, String reason) {
    assertThatThrownBy(() -> introduced(way).close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("refused")
        .hasMessageContaining(reason);
  }

  @Test
  public void connectionBeyondTheLimitOfTheNodeIsCounted() throws Exception {
    try (TcpTechnology server = server("karmi.maxConnections", "1")) {
      TechnologyId way = server.listen(0);
      assertThat(server.counters())
          .containsEntry("connectionsRefused", 0L)
          .containsEntry("connectionsRefused.ofHost", 0L);
      RawPeer first = busy(way);
      assertRefused(way, "maximum of 1 (karmi.maxConnections)");
      assertRefused(way, "maximum of 1 (karmi.maxConnections)");
      assertThat(server.counters())
          .containsEntry("connectionsAccepted", 1L)
          .containsEntry("connectionsRefused", 2L)
          .containsEntry("connectionsRefused.ofHost", 0L);
      first.close();
    }
  }

  @Test
  public void connectionBeyondTheLimitOfItsHostIsCountedApart() throws Exception {
    List<RawPeer> greedy = new ArrayList<>();
    try (TcpTechnology server = server("karmi.maxConnectionsPerHost", "3")) {
      TechnologyId way = server.listen(0);
      for (int i = 0; i < 3; i++) {
        greedy.add(busy(way));
      }
      assertRefused(way, "maximum of 3 for one host (karmi.maxConnectionsPerHost)");
      assertThat(server.counters())
          .containsEntry("connectionsAccepted", 3L)
          .containsEntry("connectionsRefused", 1L)
          .containsEntry("connectionsRefused.ofHost", 1L);
    } finally {
      for (RawPeer each : greedy) {
        each.close();
      }
    }
  }

  /** What is done over a connection, for which the node closes it. */
  private interface Misdeed {
    void over(RawPeer peer) throws IOException;
  }

  private void assertClosedAndCounted(String setting, String value, Misdeed misdeed)
      throws Exception {
    try (TcpTechnology server = server(setting, value)) {
      TechnologyId way = server.listen(0);
      try (RawPeer peer = introduced(way)) {
        misdeed.over(peer);
        Deadline.await(
            "it is counted", () -> server.counters().getOrDefault("closed." + setting, 0L) == 1);
        Deadline.await("it is closed", () -> server.limit().present() == 0);
      }
      Map<String, Long> counters = server.counters();
      assertThat(counters.keySet())
          .filteredOn(name -> name.startsWith("closed."))
          .containsExactly("closed." + setting);
      assertThat(counters).containsEntry("closed." + setting, 1L);
      assertThat(counters).as("it is no refusal").containsEntry("connectionsRefused", 0L);
    }
  }

  @Test
  public void connectionThatDoesNotIntroduceItselfIsCounted() throws Exception {
    try (TcpTechnology server = Wire.open(node, "karmi.handshakeTimeout", "300")) {
      TechnologyId way = server.listen(0);
      for (byte[] begin : new byte[][] {{}, {'K', 'R', 'M'}}) {
        try (RawPeer silent = RawPeer.silent(new SocketDoor(Wire.port(way)))) {
          silent.send(begin);
          assertThat(silent.isClosedByNode()).isTrue();
        }
      }
      Deadline.await(
          "both are counted",
          () -> server.counters().getOrDefault("closed.karmi.handshakeTimeout", 0L) == 2);
    }
  }

  @Test
  public void strangerThatIsTurnedAwayInTimeIsNotCountedAsLate() throws Exception {
    try (TcpTechnology server = server("karmi.maxConnections", "16")) {
      TechnologyId way = server.listen(0);
      try (RawPeer stranger = RawPeer.silent(new SocketDoor(Wire.port(way)))) {
        stranger.send(new byte[100]);
        assertThat(stranger.isClosedByNode()).isTrue();
      }
      Deadline.await("it has gone", () -> server.limit().present() == 0);
      assertThat(server.counters().keySet()).noneMatch(name -> name.startsWith("closed."));
    }
  }

  @Test
  public void silentConnectionIsCounted() throws Exception {
    assertClosedAndCounted("karmi.readTimeout", "3000", peer -> {});
  }

  @Test
  public void connectionWithHalfAMessageIsCounted() throws Exception {
    assertClosedAndCounted(
        "karmi.messageTimeout",
        "300",
        peer -> peer.send(new WireBytes().raw(RawPeer.header(RawPeer.CALL, 100)).u8(1).toArray()));
  }

  @Test
  public void connectionThatTakesNothingOfAReplyIsCounted() throws Exception {
    assertClosedAndCounted(
        "karmi.writeTimeout", "300", peer -> peer.message(RawPeer.CALL, request(peer, LONG_BYTES)));
  }

  private static byte[] request(RawPeer peer, int bytes) {
    return peer.request(Callee.OBJECT, METHOD).int32(bytes).toArray();
  }

  @Test
  public void connectionWithTooLongAMessageIsCounted() throws Exception {
    assertClosedAndCounted(
        "karmi.maxMessageBytes",
        "1000",
        peer ->
            peer.frame(
                RawPeer.CALL, new WireBytes().raw(request(peer, 1)).raw(new byte[2000]).toArray()));
  }

  @Test
  public void nothingIsCountedOfAConnectionThatEndsAsItShould() throws Exception {
    try (TcpTechnology server = server("karmi.maxMessageBytes", "1000")) {
      TechnologyId way = server.listen(0);
      try (RawPeer peer = introduced(way)) {
        assertThat(peer.call(Callee.OBJECT, METHOD, new WireBytes().int32(1).toArray())[0])
            .isEqualTo((byte) RawPeer.RETURNED);
      }
      Deadline.await("it is closed", () -> server.limit().present() == 0);
      assertThat(server.counters())
          .containsEntry("connectionsRefused", 0L)
          .containsEntry("callsServed", 1L);
      assertThat(server.counters().keySet()).noneMatch(name -> name.startsWith("closed."));
    }
  }

  @Test
  public void eachConnectionIsCountedOnce() throws Exception {
    try (TcpTechnology server = server("karmi.messageTimeout", "300")) {
      TechnologyId way = server.listen(0);
      for (int i = 1; i <= 3; i++) {
        long count = i;
        try (RawPeer half = introduced(way)) {
          half.send(RawPeer.header(RawPeer.CALL, 100));
          assertThat(half.isClosedByNode()).isTrue();
        }
        Deadline.await(
            "one more is counted",
            () -> server.counters().getOrDefault("closed.karmi.messageTimeout", 0L) == count);
      }
    }
  }
}
