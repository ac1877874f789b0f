package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.ObjectId;
import io.karmi.kit.Deadline;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Contract on the orderly end of a node, as its callers see it. */
public abstract class FarewellContract {
  private static final int CALLERS = 8;
  private static final int ROUNDS = 30;

  /** Long enough that nothing is closed for being idle. */
  private static final String[] PATIENT = {"karmi.idleTimeout", "3600000"};

  /**
   * Opens one more instance of the technology.
   *
   * @param settings names and values, in turn, in place of the system properties
   */
  protected abstract Technology open(UpCall upCall, String... settings) throws IOException;

  private static long opened(Technology technology) {
    return technology.counters().getOrDefault("connectionsOpened", 0L);
  }

  private static void assertNotSent(Callable<Integer> call) {
    assertThatThrownBy(call::call)
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("shuts down")
        .hasMessageContaining("not sent");
  }

  @Test
  public void idleConnectionsToANodeThatEndsAreClosedByTheirCaller() throws Exception {
    Callee node = Nodes.successor();
    try (Technology server = open(node);
        Technology client = open(Nodes.caller(), PATIENT)) {
      ObjectId target = Nodes.object(node, server.listen(0));
      assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
      server.drain();
      Deadline.await("the caller has learnt it", () -> opened(client) == 0);
      assertNotSent(() -> Nodes.next(client, target, 2));
      assertThat(node.calls()).isEqualTo(1);
      Deadline.await("no connection is left", server::isLeft);
    }
  }

  @Test
  public void callThatRunsEndsAndNoneIsSentAfterIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Callee node =
        Nodes.successorAfter(
            () -> {
              begun.countDown();
              assertThat(end.await(90, TimeUnit.SECONDS)).isTrue();
            });
    ExecutorService caller = Executors.newSingleThreadExecutor();
    try (Technology server = open(node);
        Technology client = open(Nodes.caller(), PATIENT)) {
      ObjectId target = Nodes.object(node, server.listen(0));
      Future<Integer> running = caller.submit(() -> Nodes.next(client, target, 1));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      server.drain();
      Deadline.await("others learn it while the call runs", () -> isRefusedUnsent(client, target));
      assertThat(running.isDone()).isFalse();
      assertThat(node.calls()).isEqualTo(1);
      end.countDown();
      assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(2);
      assertNotSent(() -> Nodes.next(client, target, 2));
      assertThat(node.calls()).isEqualTo(1);
      Deadline.await("no connection is left", server::isLeft);
    } finally {
      end.countDown();
      caller.shutdownNow();
    }
  }

  /** The listener is closed, so no other connection is opened meanwhile. */
  private static boolean isRefusedUnsent(Technology client, ObjectId target) {
    try {
      Nodes.next(client, target, 7);
      return false;
    } catch (ConnectException e) {
      return String.valueOf(e.getMessage()).contains("not sent");
    } catch (Exception e) {
      return false;
    }
  }

  /** Also where the thread that accepts has got one while the listener was closed. */
  @Test
  public void nodeThatEndsTakesNoCallOverANewConnection() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Callee node = Nodes.successor();
      try (Technology server = open(node);
          Technology known = open(Nodes.caller(), PATIENT);
          Technology client = open(Nodes.caller(), PATIENT)) {
        ObjectId target = Nodes.object(node, server.listen(0));
        assertThat(Nodes.next(known, target, 1)).isEqualTo(2);
        server.drain();
        assertThatThrownBy(() -> Nodes.next(client, target, 1)).isInstanceOf(RemoteException.class);
        assertThat(node.calls()).isEqualTo(1);
      }
    }
  }

  @Test
  public void noCallIsInDoubtWhenANodeEndsBetweenCalls() throws Exception {
    Callee node = Nodes.successor();
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try (Technology server = open(node);
        Technology client = open(Nodes.caller(), PATIENT)) {
      ObjectId target = Nodes.object(node, server.listen(0));
      AtomicInteger answered = new AtomicInteger();
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        all.add(callers.submit(() -> callUntilRefused(client, target, answered)));
      }
      Deadline.await("they call", () -> answered.get() > 100 * CALLERS);
      server.drain();
      for (Future<?> each : all) {
        each.get(60, TimeUnit.SECONDS);
      }
      assertThat(node.calls()).as("all were answered").isEqualTo(answered.get());
      Deadline.await("no connection is left", server::isLeft);
    } finally {
      callers.shutdownNow();
    }
  }

  private static Void callUntilRefused(Technology client, ObjectId target, AtomicInteger answered)
      throws Exception {
    try {
      for (; ; ) {
        assertThat(Nodes.next(client, target, 1)).isEqualTo(2);
        answered.incrementAndGet();
      }
    } catch (ConnectException | ConnectIOException e) {
      return null; // any other exception would leave open whether the call was executed
    }
  }
}
