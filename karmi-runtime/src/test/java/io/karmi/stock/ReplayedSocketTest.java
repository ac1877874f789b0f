package io.karmi.stock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.guard.Ledgers;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class ReplayedSocketTest {
  private static final int HOURS = 7_200_000;
  private static final byte[] FIRST = "JRMI".getBytes(StandardCharsets.US_ASCII);

  private Socket peer;
  private Socket accepted;
  private int closed;

  @Before
  public void connect() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      peer = new Socket(listener.getInetAddress(), listener.getLocalPort());
      accepted = listener.accept();
    }
  }

  @After
  public void close() throws IOException {
    peer.close();
    accepted.close();
  }

  private ReplayedSocket taken(int introductionMillis) throws IOException {
    accepted.setSoTimeout(introductionMillis);
    ReplayedSocket taken = new ReplayedSocket(accepted, FIRST, () -> closed++);
    taken.setSoTimeout(HOURS);
    return taken;
  }

  @Test
  public void firstBytesAreReadAgain() throws IOException {
    DataInputStream in = new DataInputStream(taken(10_000).getInputStream());
    peer.getOutputStream().write(new byte[] {0, 2, 0x4b});
    assertThat(in.readInt()).isEqualTo(0x4a524d49);
    assertThat(in.readShort()).isEqualTo((short) 2);
    assertThat(in.readByte()).isEqualTo((byte) 0x4b);
  }

  @Test
  public void peerThatDoesNotIntroduceItselfIsNotWaitedForAsLongAsOneThatHas() throws IOException {
    ReplayedSocket taken = taken(50);
    assertThat(taken.getSoTimeout()).as("what was asked for").isEqualTo(HOURS);
    assertThatThrownBy(() -> taken.getInputStream().read(new byte[100]))
        .as("after the bytes that were there")
        .isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  public void peerThatStopsAfterTheProtocolIsNotWaitedForEither() throws IOException {
    ReplayedSocket taken = taken(50);
    peer.getOutputStream().write(new byte[] {0, 2, 0x4b});
    assertThat(taken.getInputStream().read(new byte[100])).isEqualTo(7);
    assertThatThrownBy(() -> taken.getInputStream().read(new byte[100]))
        .isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  public void introducedPeerHasTheTimeThatWasAskedFor() throws IOException {
    ReplayedSocket taken = taken(10_000);
    byte[] read = new byte[100];
    peer.getOutputStream().write(1);
    assertThat(taken.getInputStream().read(read)).isEqualTo(5);
    assertThat(accepted.getSoTimeout()).isEqualTo(10_000);
    peer.getOutputStream().write(2);
    assertThat(taken.getInputStream().read(read)).isEqualTo(1);
    assertThat(accepted.getSoTimeout()).isEqualTo(HOURS);
  }

  @Test
  public void timeoutThatIsAskedForAndShorterCountsAtOnce() throws IOException {
    ReplayedSocket taken = taken(10_000);
    taken.setSoTimeout(20);
    assertThat(accepted.getSoTimeout()).isEqualTo(20);
  }

  @Test
  public void callCountsUntilItIsAnswered() throws IOException {
    ReplayedSocket taken = taken(0);
    String host = peer.getLocalAddress().getHostAddress();
    int length = 100_000;
    Thread caller = new Thread(() -> write(new byte[length]));
    caller.start();
    taken.getInputStream().readNBytes(length);
    assertThat(Ledgers.messages().takenBy(host)).isBetween(length * 19L / 10, length * 3L);
    taken.getOutputStream().write(1);
    assertThat(Ledgers.messages().takenBy(host)).isZero();
    taken.getInputStream().readNBytes(FIRST.length); // of the next call
    assertThat(Ledgers.messages().takenBy(host)).as("it is short").isZero();
  }

  private void write(byte[] bytes) {
    try {
      peer.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void closedConnectionHoldsNothing() throws IOException {
    ReplayedSocket taken = taken(0);
    write(new byte[50_000]);
    taken.getInputStream().readNBytes(50_000);
    String host = peer.getLocalAddress().getHostAddress();
    assertThat(Ledgers.messages().takenBy(host)).isPositive();
    taken.close();
    assertThat(Ledgers.messages().takenBy(host)).isZero();
  }

  @Test
  public void closingTellsOnce() throws IOException {
    ReplayedSocket taken = taken(0);
    taken.close();
    taken.close();
    assertThat(closed).isEqualTo(1);
    assertThat(accepted.isClosed()).isTrue();
  }
}
