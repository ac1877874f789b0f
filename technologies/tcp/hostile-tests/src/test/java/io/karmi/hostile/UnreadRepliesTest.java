package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Besieged;
import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Callers that do not read their replies, for longer than the test takes: together these take more
 * memory than a node of 128 MB has. The next client, of the same host, is served, and gets a long
 * reply, too.
 */
public class UnreadRepliesTest {
  private static final long ADD = Methods.hash("add(II)I");
  private static final long BYTES = Methods.hash("bytes(I)[B");
  private static final int REPLY_BYTES = 8 << 20;

  private static final int CALLERS = 60;

  /** Number of callers whose replies fill the heap nearly. */
  private static final int LEAST_CALLERS = 10;

  private final List<RawPeer> peers = new ArrayList<>();
  private Jvm node;
  private SocketDoor door;
  private long object;

  @Before
  public void start() throws Exception {
    node = Jvm.start("-Xmx128m", "-Dkarmi.writeTimeout=600000", Besieged.class.getName());
    door = new SocketDoor(Integer.parseInt(node.awaitLine("port ")));
    object = Long.parseLong(node.awaitLine("object "));
  }

  @After
  public void end() throws IOException {
    for (RawPeer each : peers) {
      each.close();
    }
    node.close();
  }

  private RawPeer kept() throws IOException {
    RawPeer peer = RawPeer.introduced(door, 5, peers.size());
    peers.add(peer);
    return peer;
  }

  private void askForBytes() {
    try {
      RawPeer peer = kept();
      peer.frame(RawPeer.CALL, peer.request(object, BYTES).int32(REPLY_BYTES).toArray());
    } catch (IOException e) {
      assertThat(peers).as("those before it fill the heap").hasSizeGreaterThan(LEAST_CALLERS);
    }
  }

  /** Whether a client gets a short reply and a long one. */
  private boolean isServed() {
    try (RawPeer honest = RawPeer.introduced(door, 1, 2)) {
      byte[] sum = honest.call(object, ADD, new WireBytes().int32(20).int32(22).toArray());
      byte[] reply = honest.call(object, BYTES, new WireBytes().int32(REPLY_BYTES).toArray());
      return Arrays.equals(sum, new byte[] {RawPeer.RETURNED, 42, 0, 0, 0})
          && reply[0] == RawPeer.RETURNED
          && reply.length > REPLY_BYTES;
    } catch (IOException e) {
      return false; // there was no memory for it yet
    }
  }

  @Test
  public void longArraysThatAreNotReadLeaveRoom() throws Exception {
    assertThat(isServed()).isTrue();
    for (int i = 0; i < CALLERS; i++) {
      askForBytes();
    }
    Deadline.await("the next client is served", this::isServed);
  }
}
