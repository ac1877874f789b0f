package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Jvm;
import java.io.IOException;
import org.junit.Test;

/** One message against the heap of a node that has no setting for it. */
public class LongMessageTest {
  private static final long HEAP_BYTES = 64L << 20;
  private static final int FRAME_BYTES = 1 << 20;

  private static final long TEXT = Methods.hash("text(Ljava/lang/String;)Ljava/lang/String;");

  private static final int LONG_STRING = 0x03;

  /** What the sockets of both ends may hold. */
  private static final long ON_THE_WAY_BYTES = 12L << 20;

  @Test
  public void messageIsCutOffAtAQuarterOfTheHeap() throws Exception {
    try (Jvm node = Jvm.start("-Xmx64m", Besieged.class.getName())) {
      SocketDoor door = new SocketDoor(Integer.parseInt(node.awaitLine("port ")));
      long object = Long.parseLong(node.awaitLine("object "));
      try (RawPeer peer = RawPeer.introduced(door, 1, 2)) {
        assertThat(sendUntilCutOff(peer, object))
            .as("bytes that the node takes of one message")
            .isBetween(HEAP_BYTES / 4 - FRAME_BYTES, HEAP_BYTES / 4 + ON_THE_WAY_BYTES);
        assertThat(peer.isClosedByNode()).isTrue();
      }
      try (RawPeer next = RawPeer.introduced(door, 3, 4)) {
        assertThat(next.call(object, TEXT, new byte[] {0})).isNotEmpty();
      }
    }
  }

  /** Sends a string of 60 MB; returns how much of it could be sent. */
  private static long sendUntilCutOff(RawPeer peer, long object) throws IOException {
    WireBytes begin = peer.request(object, TEXT).u8(LONG_STRING).number(60 << 20);
    peer.frame(RawPeer.CALL | RawPeer.MORE, begin.toArray());
    byte[] part = new byte[FRAME_BYTES];
    long sent = 0;
    try {
      while (sent < 60 << 20) {
        peer.frame(RawPeer.CALL | RawPeer.MORE, part);
        sent += part.length;
      }
    } catch (IOException e) {
      return sent; // it has closed the connection
    }
    return sent;
  }
}
