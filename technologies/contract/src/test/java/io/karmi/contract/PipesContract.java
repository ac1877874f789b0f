package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.Pipe;
import io.karmi.technology.Pipes;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.rmi.RemoteException;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Contract of every technology that carries messages. */
public abstract class PipesContract {
  private static final long KEY = 0x1234_5678_9ABC_DEF0L;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final BlockingQueue<Pipe> accepted = new LinkedBlockingQueue<>();
  private MessageTaker clientNode;
  private MessageTaker serverNode;
  private Technology client;
  private Technology server;
  private TechnologyId way;

  /** Opens one more instance of the technology. */
  protected abstract Technology open(UpCall upCall) throws IOException;

  @Before
  public final void openBothEnds() throws IOException {
    clientNode = new MessageTaker(new LinkedBlockingQueue<>()::add);
    serverNode = new MessageTaker(accepted::add);
    client = open(clientNode);
    server = open(serverNode);
    client.listen(0);
    way = server.listen(0);
  }

  @After
  public final void closeBothEnds() {
    client.close();
    server.close();
    threads.shutdownNow();
  }

  private Pipe openPipe() throws RemoteException {
    return ((Pipes) client).open(serverNode.node(), way, KEY);
  }

  private Pipe accepted() throws InterruptedException {
    Pipe pipe = accepted.poll(30, TimeUnit.SECONDS);
    assertThat(pipe).as("the pipe at the other end").isNotNull();
    return pipe;
  }

  @Test
  public void bothEndsKnowEachOtherAndTheKey() throws Exception {
    try (Pipe opened = openPipe();
        Pipe other = accepted()) {
      assertThat(opened.remote()).isEqualTo(serverNode.node());
      assertThat(other.remote()).isEqualTo(clientNode.node());
      assertThat(other.key()).isEqualTo(KEY);
      assertThat(opened.format().name()).isEqualTo(other.format().name());
    }
  }

  @Test
  public void bytesCrossInBothDirectionsAtOnce() throws Exception {
    try (Pipe opened = openPipe();
        Pipe other = accepted()) {
      Future<?>[] ends = {
        threads.submit(() -> send(opened, 1)),
        threads.submit(() -> send(other, 2)),
        threads.submit(() -> receive(opened, 2)),
        threads.submit(() -> receive(other, 1))
      };
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    }
  }

  private static final int BYTES = 20_000_000;

  private static Void send(Pipe pipe, long seed) throws IOException {
    Random random = new Random(seed);
    Random lengths = new Random(seed + 100);
    for (int left = BYTES; left > 0; ) {
      byte[] piece = new byte[Math.min(left, 1 + lengths.nextInt(300_000))];
      for (int i = 0; i < piece.length; i++) {
        piece[i] = (byte) random.nextInt();
      }
      pipe.send(piece, 0, piece.length);
      left -= piece.length;
    }
    return null;
  }

  private static Void receive(Pipe pipe, long seed) throws IOException {
    Random random = new Random(seed);
    byte[] piece = new byte[100_000];
    for (int left = BYTES; left > 0; ) {
      int count = pipe.receive(piece, 0, Math.min(left, piece.length));
      assertThat(count).isPositive();
      for (int i = 0; i < count; i++) {
        if (piece[i] != (byte) random.nextInt()) {
          throw new AssertionError("a byte is wrong, " + left + " before the end");
        }
      }
      left -= count;
    }
    return null;
  }

  @Test
  public void receiptThatIsLimitedInTimeLosesNothing() throws Exception {
    try (Pipe opened = openPipe();
        Pipe other = accepted()) {
      assertThat(opened.isTimed()).isTrue();
      byte[] bytes = new byte[10];
      for (int round = 1; round <= 5; round++) {
        assertThat(opened.receive(bytes, 0, 10, 5)).as("nothing was sent").isZero();
        other.send(new byte[] {(byte) round}, 0, 1);
        assertThat(round % 2 == 0 ? opened.receive(bytes, 0, 10) : receiveSoon(opened, bytes))
            .isEqualTo(1);
        assertThat((int) bytes[0]).isEqualTo(round);
      }
    }
  }

  private static int receiveSoon(Pipe pipe, byte[] bytes) throws IOException {
    int count = 0;
    for (int i = 0; i < 60 && count == 0; i++) {
      count = pipe.receive(bytes, 0, bytes.length, 1000);
    }
    return count;
  }

  @Test
  public void closedPipeEndsTheOtherEnd() throws Exception {
    Pipe opened = openPipe();
    try (Pipe other = accepted()) {
      Future<Integer> received = threads.submit(() -> other.receive(new byte[1], 0, 1));
      opened.close();
      assertThat(received.get(30, TimeUnit.SECONDS)).isEqualTo(-1);
    }
  }

  @Test
  public void closingEndsWhatAThreadWaitsForAtTheSameEnd() throws Exception {
    Pipe opened = openPipe();
    try (Pipe other = accepted()) {
      Future<Boolean> receiver =
          threads.submit(
              () -> {
                try {
                  return opened.receive(new byte[1], 0, 1) < 0;
                } catch (IOException e) {
                  return true;
                }
              });
      opened.close();
      assertThat(receiver.get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(other.remote()).isEqualTo(clientNode.node());
    }
  }

  @Test
  public void nodeThatTakesNoMessagesSaysSo() {
    serverNode.refuse();
    assertThatThrownBy(this::openPipe).isInstanceOf(RemoteException.class);
  }

  @Test
  public void anotherNodeThanTheOneThatIsMeantIsRefused() {
    assertThatThrownBy(() -> ((Pipes) client).open(NodeId.random(), way, KEY))
        .isInstanceOf(RemoteException.class);
  }
}
