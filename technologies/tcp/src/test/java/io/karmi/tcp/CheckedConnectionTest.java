package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.id.NodeId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** An idle connection whose check takes as long as a test wants. */
public class CheckedConnectionTest {
  private final Callee node = Wire.caller();
  private final TcpTechnology technology = Wire.open(node);
  private final Peer peer = new Peer(technology, true);
  private final Slow socket = new Slow();
  private Connection connection;
  private CompletableFuture<Void> check;

  @Before
  public void startCheck() throws Exception {
    connection =
        new Connection(
            node,
            socket,
            socket,
            NodeId.random(),
            node.formats().get(0),
            null,
            peer,
            TcpSettings.from(name -> null));
    peer.giveBack(connection);
    peer.tend(0, 0);
    check = CompletableFuture.runAsync(() -> peer.tend(1, 0));
    assertThat(socket.isRead.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @After
  public void end() throws Exception {
    socket.goOn.countDown();
    check.get(20, TimeUnit.SECONDS);
    technology.close();
  }

  @Test
  public void callerWaitsForItInsteadOfOpeningAnother() throws Exception {
    assertThat(takenAfterWaiting(() -> {})).isSameAs(connection);
  }

  @Test
  public void callerDoesNotGetOneWhoseOtherEndIsGone() throws Exception {
    assertThat(takenAfterWaiting(() -> socket.isGone = true)).isNull();
    assertThat(connection.isClosed()).isTrue();
  }

  @Test
  public void callerThatIsInterruptedWaitsNoLongerAndStaysInterrupted() throws Exception {
    AtomicReference<Connection> taken = new AtomicReference<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              taken.set(peer.takeIdle(NodeId.UNKNOWN));
              interrupted.complete(Thread.currentThread().isInterrupted());
            });
    caller.start();
    caller.interrupt();
    assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(taken.get()).isNull();
  }

  /** What a caller takes that comes while the check is going on. */
  private Connection takenAfterWaiting(Runnable beforeTheEnd) throws Exception {
    AtomicReference<Connection> taken = new AtomicReference<>();
    Thread caller = new Thread(() -> taken.set(peer.takeIdle(NodeId.UNKNOWN)));
    caller.start();
    Wire.await(
        "the caller waits, or is through",
        () ->
            caller.getState() == Thread.State.TIMED_WAITING
                || caller.getState() == Thread.State.TERMINATED);
    beforeTheEnd.run();
    socket.goOn.countDown();
    caller.join(20_000);
    assertThat(caller.isAlive()).isFalse();
    return taken.get();
  }

  /** Reads until it is told to go on, and then as a socket on which nothing comes. */
  private static final class Slow extends Socket {
    final CountDownLatch isRead = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    volatile boolean isGone;

    @Override
    public InetAddress getInetAddress() {
      return InetAddress.getLoopbackAddress();
    }

    @Override
    public OutputStream getOutputStream() {
      return new ByteArrayOutputStream();
    }

    @Override
    public InputStream getInputStream() {
      return new InputStream() {
        @Override
        public int read() {
          throw new AssertionError("connections read blocks");
        }

        @Override
        public int read(byte[] to, int from, int count) throws IOException {
          isRead.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          if (isGone) {
            return -1;
          }
          throw new SocketTimeoutException();
        }
      };
    }
  }
}
