package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.rmi.ConnectIOException;
import java.rmi.MarshalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.Test;

/** Contract of technologies with connections: many callers, idle connections, bounds. */
public abstract class ConnectionsContract {
  private static final int ALTERNATIONS = 20;
  private static final int CALLERS = 3;

  /** Each would wait for two seconds if it waited for the export. */
  private static final int EARLY_CALLERS = 30;

  /**
   * Opens one more instance of the technology.
   *
   * @param settings names and values, in turn, in place of the system properties
   */
  protected abstract Technology open(UpCall upCall, String... settings) throws IOException;

  /** Callers that are served at once, each over a connection of its own. */
  protected int manyCallers() {
    return 1000;
  }

  @Test
  public void manyCallersAreServedAtOnce() throws Exception {
    int many = manyCallers();
    Callee node = Nodes.successorFor(many);
    ExecutorService callers = Executors.newFixedThreadPool(many);
    try (Technology server = open(node);
        Technology client = open(Nodes.caller())) {
      ObjectId target = Nodes.object(node, server.listen(0));
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        int value = i;
        all.add(callers.submit(() -> Nodes.next(client, target, value)));
      }
      for (int i = 0; i < many; i++) {
        assertThat(all.get(i).get(120, TimeUnit.SECONDS)).isEqualTo(i + 1);
      }
      assertThat(node.calls()).isEqualTo(many);
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  public void connectionsBeyondTheLimitAreRefused() throws Exception {
    assertSecondIsRefused("karmi.maxConnections");
  }

  @Test
  public void limitOfStockRmiHolds() throws Exception {
    assertSecondIsRefused("sun.rmi.transport.tcp.maxConnectionThreads");
  }

  /** While the first is in a call. */
  private void assertSecondIsRefused(String limit) throws Exception {
    CountDownLatch executed = new CountDownLatch(1);
    CountDownLatch refused = new CountDownLatch(1);
    Callee node =
        Nodes.successorAfter(
            () -> {
              executed.countDown();
              refused.await();
            });
    ExecutorService caller = Executors.newSingleThreadExecutor();
    try (Technology server = open(node, limit, "1");
        Technology first = open(Nodes.caller());
        Technology second = open(Nodes.caller())) {
      TechnologyId way = server.listen(0);
      ObjectId target = Nodes.object(node, way);
      ObjectId again = Nodes.object(node, new TechnologyId(way.technology(), way.address()));
      Future<Integer> result = caller.submit(() -> Nodes.next(first, target, 1));
      assertThat(executed.await(60, TimeUnit.SECONDS)).as("the first is executed").isTrue();
      assertThatThrownBy(() -> Nodes.next(second, again, 1))
          .isInstanceOf(ConnectIOException.class)
          .hasMessageContaining("maximum of 1 (karmi.maxConnections)");
      refused.countDown();
      assertThat(result.get(60, TimeUnit.SECONDS)).as("the first is not harmed").isEqualTo(2);
      assertThat(Nodes.next(first, target, 2)).as("nor its connection").isEqualTo(3);
    } finally {
      refused.countDown();
      caller.shutdownNow();
    }
  }

  @Test
  public void idleConnectionGivesWayToTheNextCaller() throws Exception {
    Callee node = Nodes.successor();
    try (Technology server = open(node, "karmi.maxConnections", "1");
        Technology first = open(Nodes.caller());
        Technology second = open(Nodes.caller())) {
      TechnologyId way = server.listen(0);
      ObjectId target = Nodes.object(node, way);
      ObjectId again = Nodes.object(node, new TechnologyId(way.technology(), way.address()));
      for (int i = 0; i < ALTERNATIONS; i++) {
        assertThat(nextOnceIdle(first, target, i)).isEqualTo(i + 1);
        assertThat(nextOnceIdle(second, again, i)).isEqualTo(i + 1);
      }
    }
  }

  /** Its arguments take long, and meanwhile another caller needs the place of its connection. */
  @Test
  public void callThatMeetsAConnectionWhichHasGivenWayIsMadeAgain() throws Exception {
    Callee node = Nodes.successor();
    try (Technology server = open(node, "karmi.maxConnections", "1");
        Technology first = open(Nodes.caller());
        Technology second = open(Nodes.caller())) {
      TechnologyId way = server.listen(0);
      ObjectId target = Nodes.object(node, way);
      ObjectId again = Nodes.object(node, new TechnologyId(way.technology(), way.address()));
      int[] marshalled = new int[1];
      Arguments slow =
          new Arguments() {
            @Override
            public void marshal(CallOutput out) throws IOException {
              marshalled[0]++;
              try {
                if (marshalled[0] % 2 == 1) {
                  nextOnceIdle(second, again, 1);
                }
              } catch (Exception e) {
                throw new IOException(e);
              }
              out.writeInt(7);
            }
          };
      for (int i = 1; i <= ALTERNATIONS; i++) {
        assertThat(nextOnceIdle(() -> Nodes.next(first, target, slow))).isEqualTo(8);
        assertThat(marshalled[0]).as("times that it was marshalled").isEqualTo(2 * i);
        assertThat(node.calls()).as("executed, both callers'").isEqualTo(2 * i);
      }
    }
  }

  /** Once it is sent it is not made again: its arguments may change. */
  @Test
  public void futureWhoseConnectionHasGivenWayTellsWhetherTheCallWasExecuted() throws Exception {
    int executed = 0;
    Callee node =
        new Callee(
            (call, in, out) -> {
              in.readInt();
              in.endArguments();
              out.beginResult();
              out.writeObject("done");
            });
    try (Technology server = open(node, "karmi.maxConnections", "1");
        Technology first = open(Nodes.caller());
        Technology second = open(Nodes.caller())) {
      TechnologyId way = server.listen(0);
      ObjectId target = Nodes.object(node, way);
      ObjectId again = Nodes.object(node, new TechnologyId(way.technology(), way.address()));
      Arguments one =
          new Arguments() {
            @Override
            public void marshal(CallOutput out) throws IOException {
              out.writeInt(1);
            }
          };
      AtomicBoolean disturbed = new AtomicBoolean();
      Arguments slow =
          new Arguments() {
            @Override
            public void marshal(CallOutput out) throws IOException {
              try {
                if (!disturbed.getAndSet(true)) {
                  nextOnceIdle(
                      () -> {
                        second.objectApplicationCall(again, Callee.METHODS, 0, one, Nodes.LOADER);
                        return 1;
                      });
                }
              } catch (Exception e) {
                throw new IOException(e);
              }
              out.writeInt(1);
            }
          };
      for (int i = 1; i <= ALTERNATIONS; i++) {
        disturbed.set(false);
        executed += nextOnceIdle(() -> outcome(first, target, slow));
        assertThat(node.calls()).as("the other's, and some of these").isEqualTo(i + executed);
      }
    }
  }

  /** 1 if a call was executed, 0 if it surely was not. */
  private static int outcome(Technology caller, ObjectId target, Arguments arguments)
      throws Exception {
    try {
      Object result =
          caller
              .futureApplicationCall(target, Callee.METHODS, 0, arguments, Nodes.LOADER)
              .get(20, TimeUnit.SECONDS);
      assertThat(result).isEqualTo("done");
      return 1;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ConnectIOException refused) {
        throw refused;
      }
      assertThat(e).cause().isInstanceOf(MarshalException.class);
      return 0;
    }
  }

  /** Calls once the other's connection has been idle for long enough. */
  private static int nextOnceIdle(Technology caller, ObjectId target, int value) throws Exception {
    return nextOnceIdle(() -> Nodes.next(caller, target, value));
  }

  private static int nextOnceIdle(Callable<Integer> call) throws Exception {
    int[] result = new int[1];
    Deadline.await(
        "the other connection is idle",
        () -> {
          try {
            result[0] = call.call();
            return true;
          } catch (ConnectIOException e) {
            return false; // refused
          }
        });
    return result[0];
  }

  @Test
  public void connectionsOfCallersAtTheSameTimeAreUsedAgain() throws Exception {
    Callee node = Nodes.successorFor(CALLERS);
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try (Technology server = open(node);
        Technology client = open(Nodes.caller())) {
      ObjectId target = Nodes.object(node, server.listen(0));
      for (int round = 0; round < 50; round++) {
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          int value = i;
          all.add(callers.submit(() -> Nodes.next(client, target, value)));
        }
        for (int i = 0; i < CALLERS; i++) {
          assertThat(all.get(i).get(60, TimeUnit.SECONDS)).isEqualTo(i + 1);
        }
      }
      assertThat(client.counters())
          .containsEntry("connectionsOpened", (long) CALLERS)
          .containsEntry("callsMade", 50L * CALLERS);
    } finally {
      callers.shutdownNow();
    }
  }

  @Test
  public void idleConnectionsAreClosed() throws Exception {
    Callee node = Nodes.successor();
    try (Technology server = open(node);
        Technology thrifty = open(Nodes.caller(), "karmi.idleTimeout", "100")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      assertThat(Nodes.next(thrifty, target, 1)).isEqualTo(2);
      Deadline.await("no connection is left", () -> accepted(server) == 0);
      assertThat(Nodes.next(thrifty, target, 2)).as("over a new one").isEqualTo(3);
    }
  }

  private static long accepted(Technology technology) {
    return technology.counters().getOrDefault("connectionsAccepted", 0L);
  }

  @Test
  public void whatWasFoundIsKeptForCallsOfTheSameObjectOnly() throws Exception {
    List<Object> found = new ArrayList<>();
    Callee node =
        new Callee(
            (call, in, out) -> {
              int value = in.readInt();
              in.endArguments();
              found.add(String.valueOf(call.found()));
              call.keepFound(call.objectNumber());
              out.beginResult();
              out.writeInt(value + 1);
            });
    try (Technology server = open(node);
        Technology client = open(Nodes.caller())) {
      TechnologyId way = server.listen(0);
      for (long number : new long[] {100, 100, 200, 100, 100}) {
        assertThat(Nodes.next(client, new ObjectId(node.node(), number, way), 1)).isEqualTo(2);
      }
    }
    assertThat(found).containsExactly("null", "100", "null", "null", "100");
  }

  @Test
  public void callsBeforeTheExportIsMadeWaitForIt() throws Exception {
    Callee node = Nodes.successor();
    try (Technology server = open(node);
        Technology early = open(Nodes.caller())) {
      TechnologyId endpoint = server.listenFromBegin(0);
      CompletableFuture<Integer> answer = new CompletableFuture<>();
      Thread caller =
          new Thread(
              () -> {
                try {
                  answer.complete(Nodes.next(early, Nodes.object(node, endpoint), 1));
                } catch (Exception e) {
                  answer.completeExceptionally(e);
                }
              });
      caller.start();
      assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      server.begin(endpoint);
      assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(2);
    }
  }

  @Test
  public void callsGoOnWhileAnotherObjectIsBeingExportedAtThePort() throws Exception {
    Callee node = Nodes.successor();
    try (Technology server = open(node)) {
      TechnologyId first = server.listen(0);
      server.listenFromBegin(0);
      long begin = System.nanoTime();
      for (int i = 0; i < EARLY_CALLERS; i++) {
        try (Technology client = open(Nodes.caller())) {
          TechnologyId way = new TechnologyId(first.technology(), first.address());
          assertThat(Nodes.next(client, Nodes.object(node, way), i)).isEqualTo(i + 1);
        }
      }
      assertThat(System.nanoTime() - begin)
          .as("ns for %d connections", EARLY_CALLERS)
          .isLessThan(TimeUnit.SECONDS.toNanos(EARLY_CALLERS));
      server.begin(first);
    }
  }

  @Test
  public void bytesAndFailedCallsAreCounted() throws Exception {
    Callee node =
        new Callee(
            (call, in, out) -> {
              int value = in.readInt();
              in.endArguments();
              if (value < 0) {
                call.failed();
              }
              out.beginResult();
              out.writeInt(value + 1);
            });
    try (Technology server = open(node);
        Technology client = open(Nodes.caller())) {
      ObjectId target = Nodes.object(node, server.listen(0));
      for (int i = 0; i < 100; i++) {
        assertThat(Nodes.next(client, target, i - 3)).isEqualTo(i - 2);
      }
      assertThat(server.counters())
          .containsEntry("callsServed", 100L)
          .containsEntry("callsServed.failed", 3L);
      long request = counter(client.counters(), "bytesSent");
      assertThat(request).as("of 100 calls").isBetween(100L * 15, 100L * 60);
      assertThat(server.counters()).containsEntry("bytesReceived", request);
      assertThat(client.counters())
          .containsEntry("bytesReceived", server.counters().get("bytesSent"));
    }
  }

  private static long counter(Map<String, Long> counters, String name) {
    return Objects.requireNonNull(counters.get(name), name);
  }
}
