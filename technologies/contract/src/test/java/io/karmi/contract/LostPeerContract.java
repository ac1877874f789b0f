package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Peers that die or hang, and callers that are interrupted meanwhile. */
public abstract class LostPeerContract {
  private static final long SECONDS = 60;

  /** Stock RMI's words, by which programs tell a lost reply from one that cannot be read. */
  private static final String STOCK_LOST_REPLY = "Error unmarshaling return header";

  private final CountDownLatch called = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private Technology client;

  /**
   * Opens one more instance of the technology.
   *
   * @param settings names and values, in turn, in place of the system properties
   */
  protected abstract Technology open(UpCall upCall, String... settings) throws IOException;

  /** What opens it in another JVM. */
  protected abstract Class<? extends TechnologyProvider> provider();

  @Before
  public final void openCaller() throws IOException {
    client = open(Nodes.caller());
  }

  @After
  public final void close() {
    end.countDown();
    client.close();
  }

  /** Answers once it may. */
  private Callee slow() {
    return Nodes.successorAfter(
        () -> {
          called.countDown();
          if (!end.await(SECONDS * 2, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the test has forgotten this call");
          }
        });
  }

  @Test
  public void callThatWasSentIsNotRepeated() throws Exception {
    Callee node = Nodes.successor();
    Technology[] dying = new Technology[1];
    Callee first =
        Nodes.successorAfter(
            () -> {
              dying[0].close();
            });
    dying[0] = open(first);
    ObjectId target = Nodes.object(first, dying[0].listen(0));
    assertThatThrownBy(() -> Nodes.next(client, target, 1)).isInstanceOf(UnmarshalException.class);
    assertThat(first.calls()).isEqualTo(1);
    try (Technology server = open(node)) {
      assertThat(Nodes.next(client, Nodes.object(node, server.listen(0)), 2))
          .as("another node")
          .isEqualTo(3);
    }
  }

  @Test
  public void peerThatDiedAMomentAgoHasSurelyNotExecutedTheCall() throws Exception {
    for (int round = 0; round < 3; round++) {
      try (Jvm peer = PeerMain.start(provider())) {
        ObjectId target = PeerMain.object(peer);
        assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
        long last = System.nanoTime();
        peer.kill();
        Deadline.await(
            "the connection counts as one that has paused",
            () -> System.nanoTime() - last > 6_000_000);
        assertThatThrownBy(() -> Nodes.next(client, target, 1))
            .as("not sent over the dead connection, and refused by a fresh one")
            .isInstanceOf(java.rmi.ConnectException.class);
      }
    }
  }

  @Test
  public void peerThatIsKilledDuringACallIsAnUnmarshalException() throws Exception {
    try (Jvm peer = PeerMain.startHanging(provider())) {
      ObjectId target = PeerMain.object(peer);
      FutureTask<Integer> call = started(() -> Nodes.next(client, target, 1));
      peer.awaitLine(PeerMain.CALLED);
      peer.kill();
      assertThatThrownBy(() -> call.get(SECONDS, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(UnmarshalException.class)
          .hasMessageStartingWith(STOCK_LOST_REPLY);
    }
  }

  @Test
  public void peerThatIsStoppedIsGivenUpAfterTheResponseTimeout() throws Exception {
    Callee slow = slow();
    try (Technology server = open(slow);
        Technology impatient =
            open(Nodes.caller(), "sun.rmi.transport.tcp.responseTimeout", "200")) {
      ObjectId target = Nodes.object(slow, server.listen(0));
      assertThatThrownBy(() -> Nodes.next(impatient, target, 1))
          .isInstanceOf(RemoteException.class)
          .hasMessageStartingWith(STOCK_LOST_REPLY)
          .rootCause()
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageStartingWith("Read timed out");
    }
  }

  @Test
  public void objectOfANodeThatIsGoneIsNotFoundElsewhere() throws Exception {
    Callee first = Nodes.successor();
    Technology before = open(first);
    TechnologyId way = before.listen(0);
    ObjectId target = Nodes.object(first, way);
    before.close();
    assertThatThrownBy(() -> Nodes.next(client, target, 1)).isInstanceOf(RemoteException.class);
    assertThat(first.calls()).isZero();
  }

  @Test
  public void interruptedCallerWaitsByDefault() throws Exception {
    Callee slow = slow();
    try (Technology server = open(slow)) {
      ObjectId target = Nodes.object(slow, server.listen(0));
      FutureTask<Boolean> call =
          new FutureTask<>(() -> Nodes.next(client, target, 1) == 2 && Thread.interrupted());
      Thread caller = new Thread(call);
      caller.start();
      assertThat(called.await(SECONDS, TimeUnit.SECONDS)).isTrue();
      caller.interrupt();
      assertThatThrownBy(() -> call.get(400, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      end.countDown();
      assertThat(call.get(SECONDS, TimeUnit.SECONDS)).as("answered, and interrupted").isTrue();
      assertThat(Nodes.next(client, target, 2)).isEqualTo(3);
      assertThat(client.counters()).containsEntry("connectionsOpened", 1L);
    }
  }

  @Test
  public void callerThatIsInterruptedBeforeItCallsIsServed() throws Exception {
    Callee node = Nodes.successor();
    try (Technology server = open(node)) {
      ObjectId target = Nodes.object(node, server.listen(0));
      for (int i = 0; i < 3; i++) {
        Thread.currentThread().interrupt();
        assertThat(Nodes.next(client, target, i)).isEqualTo(i + 1);
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
      }
    }
  }

  @Test
  public void interruptedCallerIsReleasedWhereItWasAskedFor() throws Exception {
    Callee slow = slow();
    try (Technology server = open(slow);
        Technology impatient = open(Nodes.caller(), "karmi.interruptible", "true")) {
      ObjectId target = Nodes.object(slow, server.listen(0));
      boolean[] interrupted = new boolean[1];
      FutureTask<Integer> call =
          new FutureTask<>(
              () -> {
                try {
                  return Nodes.next(impatient, target, 1);
                } finally {
                  interrupted[0] = Thread.interrupted();
                }
              });
      Thread caller = new Thread(call);
      caller.start();
      assertThat(called.await(SECONDS, TimeUnit.SECONDS)).isTrue();
      caller.interrupt();
      assertThatThrownBy(() -> call.get(SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(UnmarshalException.class)
          .hasMessageContaining("interrupted while waiting for the reply")
          .satisfies(
              e -> assertThat(e.getCause()).hasCauseInstanceOf(InterruptedIOException.class));
      assertThat(interrupted[0]).as("still interrupted").isTrue();
      end.countDown();
      assertThat(Nodes.next(impatient, target, 2)).as("over another connection").isEqualTo(3);
    }
  }

  @Test
  public void interruptedCallerIsReleasedThoughItWasCalledBackAndHasCalledInTurn()
      throws Exception {
    Technology[] ends = new Technology[2];
    ObjectId[] objects = new ObjectId[2];
    Callee caller = Nodes.successorAfter(() -> Nodes.next(ends[0], objects[1], 1));
    Callee callee =
        new Callee(
            (call, in, out) -> {
              int value = in.readInt();
              in.referenceArrived(objects[0], objects[0]); // is called over this connection
              in.endArguments();
              if (value > 1) {
                assertThat(Nodes.next(ends[1], objects[0], 1)).isEqualTo(2);
                called.countDown();
                end.await(SECONDS, TimeUnit.SECONDS);
              }
              out.beginResult();
              out.writeInt(value + 1);
            });
    try (Technology calling = open(caller, "karmi.interruptible", "true");
        Technology server = open(callee)) {
      ends[0] = calling;
      ends[1] = server;
      objects[0] = Nodes.object(caller, calling.listen(0));
      objects[1] = Nodes.object(callee, server.listen(0));
      FutureTask<Integer> call = new FutureTask<>(() -> Nodes.next(calling, objects[1], 2));
      Thread waiting = new Thread(call);
      waiting.start();
      assertThat(called.await(SECONDS, TimeUnit.SECONDS)).isTrue();
      waiting.interrupt();
      assertThatThrownBy(() -> call.get(SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(UnmarshalException.class)
          .hasMessageContaining("interrupted while waiting for the reply");
      assertThat(caller.calls()).as("calls back").isEqualTo(1);
      end.countDown();
    }
  }

  private static FutureTask<Integer> started(java.util.concurrent.Callable<Integer> work) {
    FutureTask<Integer> task = new FutureTask<>(work);
    new Thread(task).start();
    return task;
  }
}
