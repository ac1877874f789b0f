package io.karmi.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.connection.call.CallConnection;
import io.karmi.connection.channel.Handshake;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.channel.PeerIdentity;
import io.karmi.connection.pool.ConnectionPool;
import io.karmi.contract.Callee;
import io.karmi.id.NodeId;
import io.karmi.kit.Deadline;
import io.karmi.technology.ConnectionSettings;
import java.io.IOException;
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
  private static final int ATTEMPTS = 20;

  /** Less than a caller waits for a check. */
  private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

  private final Callee node =
      new Callee(
          (call, in, out) -> {
            throw new IOException("not called by this test");
          });
  private final Unconnected technology = new Unconnected(node);
  private final ConnectionPool pool = technology.poolOfNode();
  private Slow channel;
  private CallConnection connection;
  private CompletableFuture<Void> check;

  @Before
  public void startCheck() throws Exception {
    channel =
        new Slow(
            new Introduction(
                node,
                new ConnectionSettings(name -> null),
                new PeerIdentity(NodeId.random(), 0, null),
                node.formats().get(0),
                null,
                false,
                new Handshake(NodeId.random(), java.util.List.of("uka"))));
    connection = new CallConnection(channel, pool);
    pool.giveBack(connection);
    pool.tend(0, 0);
    check = CompletableFuture.runAsync(() -> pool.tend(1, 0));
    assertThat(channel.isRead.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @After
  public void end() throws Exception {
    channel.goOn.countDown();
    check.get(20, TimeUnit.SECONDS);
    technology.close();
  }

  @Test
  public void callerWaitsForItInsteadOfOpeningAnother() throws Exception {
    assertThat(takenAfterWaiting(() -> {})).isSameAs(connection);
  }

  @Test
  public void callerThatCanOpenNoneWaitsForItsEnd() throws Exception {
    CompletableFuture<CallConnection> opened = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                opened.complete(pool.connect(NodeId.UNKNOWN));
              } catch (IOException e) {
                opened.completeExceptionally(e);
              }
            });
    caller.start();
    Deadline.await(
        "the caller waits, or is through",
        () -> caller.getState() == Thread.State.TIMED_WAITING || opened.isDone());
    channel.goOn.countDown();
    assertThat(opened.get(20, TimeUnit.SECONDS)).isSameAs(connection);
  }

  @Test
  public void callerDoesNotGetOneWhoseOtherEndIsGone() throws Exception {
    assertThat(takenAfterWaiting(() -> channel.isGone = true)).isNull();
    assertThat(connection.isClosed()).isTrue();
  }

  @Test
  public void callerThatIsInterruptedWaitsNoLongerAndStaysInterrupted() throws Exception {
    AtomicReference<CallConnection> taken = new AtomicReference<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              taken.set(pool.takeIdle(NodeId.UNKNOWN));
              interrupted.complete(Thread.currentThread().isInterrupted());
            });
    caller.start();
    caller.interrupt();
    assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(taken.get()).isNull();
  }

  /**
   * What a caller takes that comes while the check is going on. Where this process stands still for
   * as long as a caller waits at most, another caller comes, during another check.
   */
  private CallConnection takenAfterWaiting(Runnable beforeTheEnd) throws Exception {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      long begin = System.nanoTime();
      CallConnection taken = takenAfterWaitingOnce(beforeTheEnd);
      if (System.nanoTime() - begin < MOST_NANOS) {
        return taken;
      }
      Deadline.await(
          "the check is over",
          () ->
              taken == connection
                  || connection.isClosed()
                  || pool.takeIdle(NodeId.UNKNOWN) == connection);
      connection.close();
      startCheck();
    }
    throw new AssertionError("each of " + ATTEMPTS + " callers has waited for too long");
  }

  private CallConnection takenAfterWaitingOnce(Runnable beforeTheEnd) throws Exception {
    AtomicReference<CallConnection> taken = new AtomicReference<>();
    Thread caller = new Thread(() -> taken.set(pool.takeIdle(NodeId.UNKNOWN)));
    caller.start();
    Deadline.await(
        "the caller waits, or is through",
        () ->
            caller.getState() == Thread.State.TIMED_WAITING
                || caller.getState() == Thread.State.TERMINATED);
    beforeTheEnd.run();
    channel.goOn.countDown();
    caller.join(20_000);
    assertThat(caller.isAlive()).isFalse();
    return taken.get();
  }

  /** Receives until it is told to go on, and then as a channel on which nothing comes. */
  private static final class Slow extends NodeChannel {
    final CountDownLatch isRead = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);
    volatile boolean isGone;

    Slow(Introduction introduction) {
      super(introduction);
    }

    @Override
    public int receive(byte[] to, int offset, int length) throws IOException {
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

    @Override
    public void send(byte[] from, int offset, int length) {}

    @Override
    public void setReceiveTimeout(int millis) {}

    @Override
    public String peerName() {
      return "nowhere";
    }

    @Override
    protected void closeChannel() {}
  }
}
