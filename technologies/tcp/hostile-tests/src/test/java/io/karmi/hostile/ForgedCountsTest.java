package io.karmi.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.hostile.Methods;
import io.karmi.contract.hostile.RawPeer;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.WireBytes;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What a holder has counted with the counting collector is counted for no other node. */
public class ForgedCountsTest {
  private static final String MAIN = Vault.class.getName();
  private static final long BOX = Methods.hash("box()Lio/karmi/hostile/Vault$Box;");
  private static final long OPEN = 1;
  private static final long RELEASE = 3;

  private Jvm keeper;
  private long[] keeperNode;
  private long keeperNumber;
  private long boxNumber;
  private SocketDoor door;
  private Jvm holder;
  private long[] holderNode;

  @Before
  public void start() throws Exception {
    keeper = Jvm.start("-Dkarmi.dgc=counting", MAIN, "keeper");
    keeperNode = node(keeper);
    keeperNumber = Long.parseLong(keeper.awaitLine("keeper "));
    boxNumber = Long.parseLong(keeper.awaitLine("box "));
    String port = keeper.awaitLine("port ");
    door = new SocketDoor(Integer.parseInt(port));
    holder = Jvm.start("-Dkarmi.dgc=counting", MAIN, "holder", port);
    holderNode = node(holder);
    assertThat(holder.awaitLine("touched ")).isEqualTo("true");
  }

  @After
  public void end() {
    if (holder != null) {
      holder.close();
    }
    keeper.close();
  }

  private static long[] node(Jvm jvm) throws InterruptedException {
    String[] halves = jvm.awaitLine("node ").split(" ");
    return new long[] {Long.parseLong(halves[0]), Long.parseLong(halves[1])};
  }

  private static byte[] collector(RawPeer peer, long... numbers) throws IOException {
    WireBytes message = new WireBytes().number(numbers.length);
    for (long number : numbers) {
      message.int64(number);
    }
    return peer.call(Methods.COLLECTOR, Methods.COUNTING, message.toArray());
  }

  @Test
  public void callerWithTheIdOfAHolderLetsNothingOfItsGo() throws Exception {
    try (RawPeer impostor = RawPeer.introduced(door, holderNode[0], holderNode[1])) {
      byte[] reply = impostor.call(keeperNumber, BOX, new byte[0]);
      long stolen = SentReference.in(reply, keeperNode).credit();
      impostor.frame(RawPeer.ACK, new byte[0]);
      collector(impostor, RELEASE, stolen, Long.MAX_VALUE / 2, boxNumber, Long.MAX_VALUE / 2);
      assertThat(holder.ask("touch", "touched ")).isEqualTo("true");
      assertThat(keeper.linesWith("unreferenced")).isEmpty();
      assertThat(stolen).as("number of the holder's account, as the impostor is told").isZero();
    }
  }

  @Test
  public void callerWithTheIdOfAHolderKeepsNothingOfItsAlive() throws Exception {
    try (RawPeer impostor = RawPeer.introduced(door, holderNode[0], holderNode[1])) {
      collector(impostor, OPEN, 4_711);
      for (int i = 0; i < 3; i++) {
        assertThat(holder.ask("touch", "touched ")).isEqualTo("true");
      }
      awaitUnreferenced();
    }
  }

  @Test
  public void referenceToAnotherPlaceLeadsNoCountAstray() throws Exception {
    try (Impostor impostor = new Impostor(keeperNode, new WireBytes().int64(0))) {
      String forged = "forged " + keeperNode[0] + " " + keeperNode[1] + " " + impostor.port();
      holder.ask(forged, "forged");
      assertThat(impostor.objectsCalled).as("what is forged").contains(Methods.COLLECTOR);
      int heard = impostor.objectsCalled.size();
      awaitUnreferenced();
      assertThat(impostor.objectsCalled).as("what is not").hasSize(heard);
    }
  }

  private void awaitUnreferenced() throws InterruptedException {
    Deadline.await(
        "the box is let go",
        () -> {
          try {
            holder.ask("drop", "dropped");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return !keeper.linesWith("unreferenced").isEmpty();
        });
  }
}
