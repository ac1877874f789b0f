package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.kit.Deadline;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What a connection remembers of its peer, which may announce and open without end. */
public class TableBoundsTest {
  private static final int MOST_INTERFACES = 1000;
  private static final int MOST_METHODS = 65_536;
  private static final int MOST_LINES = 16;

  /** Lines whose end the callee was told. */
  private final AtomicInteger ended = new AtomicInteger();

  /** A successor that wants to be told when the connection of a caller ends. */
  private final Callee node =
      new Callee(
          (call, in, out) -> {
            int value = in.readInt();
            in.endArguments();
            if (value < 0) {
              call.whenGone(ended::incrementAndGet);
            }
            out.beginResult();
            out.writeInt(value + 1);
          });

  private final TcpTechnology client = Wire.open(Nodes.caller());
  private final TcpTechnology server = Wire.open(node);
  private ObjectId target;

  @Before
  public void listen() throws IOException {
    target = Nodes.object(node, server.listen(0));
  }

  @After
  public void close() {
    client.close();
    server.close();
  }

  private RawPeer introduced() throws IOException {
    return RawPeer.introduced(new SocketDoor(Wire.port(target.technology(0))), 1, 2);
  }

  private static byte[] argument(int value) {
    return new WireBytes().int32(value).toArray();
  }

  /** A call of the first of many methods that are announced with it. */
  private static byte[] callOf(int interfaceNumber, int methods) {
    byte[] hashes = new byte[methods * Long.BYTES];
    new Random(interfaceNumber).nextBytes(hashes);
    WireBytes body = new WireBytes().int64(Callee.OBJECT).number(interfaceNumber);
    return body.number(methods).raw(hashes).number(0).int32(1).toArray();
  }

  @Test
  public void peerMayAnnounceAThousandInterfacesAndIsDisconnectedThen() throws Exception {
    try (RawPeer peer = introduced()) {
      for (int i = 0; i < MOST_INTERFACES; i++) {
        assertThat(peer.call(Callee.OBJECT, i, argument(i))[0]).isEqualTo((byte) RawPeer.RETURNED);
      }
      peer.message(RawPeer.CALL, peer.request(Callee.OBJECT, MOST_INTERFACES).int32(1).toArray());
      assertThat(peer.isClosedByNode()).isTrue();
    }
    assertThat(node.calls()).isEqualTo(MOST_INTERFACES);
    assertThat(Nodes.next(client, target, 1)).as("another peer").isEqualTo(2);
  }

  @Test
  public void peerThatAnnouncesTooManyMethodsIsDisconnected() throws Exception {
    try (RawPeer peer = introduced()) {
      for (int i = 0; i < 2; i++) {
        peer.message(RawPeer.CALL, callOf(i, MOST_METHODS));
        assertThat(peer.reply()[0]).isEqualTo((byte) RawPeer.RETURNED);
      }
      peer.message(RawPeer.CALL, callOf(2, 1));
      assertThat(peer.isClosedByNode()).isTrue();
    }
    try (RawPeer peer = introduced()) {
      WireBytes begin = new WireBytes().int64(Callee.OBJECT).number(0).number(MOST_METHODS + 1);
      peer.message(RawPeer.CALL, begin.toArray());
      assertThat(peer.isClosedByNode()).isTrue();
    }
    assertThat(node.calls()).isEqualTo(2);
    assertThat(Nodes.next(client, target, 1)).as("another peer").isEqualTo(2);
  }

  @Test
  public void callerOfManyInterfacesTakesAFreshConnectionInTime() throws Exception {
    Arguments one =
        new Arguments() {
          @Override
          public void marshal(CallOutput out) throws IOException {
            out.writeInt(1);
          }
        };
    for (int i = 0; i < 2 * MOST_INTERFACES + 10; i++) {
      RemoteInterface type =
          new RemoteInterface(new String[] {"Many"}, new String[] {"next"}, new long[] {i});
      assertThat((int) client.bitsApplicationCall(Integer.BYTES, target, type, 0, one, Wire.LOADER))
          .isEqualTo(2);
    }
    Deadline.await("those before are closed", () -> server.limit().present() <= 1);
    assertThat(node.calls()).isEqualTo(2 * MOST_INTERFACES + 10);
  }

  @Test
  public void peerThatOpensTooManyLinesIsDisconnectedAndAllOfThemEnd() throws Exception {
    try (RawPeer peer = introduced()) {
      for (int i = 0; i < MOST_LINES; i++) {
        assertThat(peer.call(Callee.OBJECT, i, argument(-1))[0]).isEqualTo((byte) RawPeer.RETURNED);
      }
      assertThat(ended).hasValue(0);
      peer.message(RawPeer.CALL, peer.request(Callee.OBJECT, MOST_LINES).int32(-1).toArray());
      assertThat(peer.isClosedByNode()).isTrue();
      Deadline.await("all have ended", () -> ended.get() == MOST_LINES + 1);
    }
    assertThat(Nodes.next(client, target, 1)).as("another peer").isEqualTo(2);
  }
}
