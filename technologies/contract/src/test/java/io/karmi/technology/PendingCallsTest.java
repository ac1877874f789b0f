package io.karmi.technology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.LoopbackTechnology;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Calls whose caller does not wait, by a technology that leaves none pending and by one that does.
 */
public class PendingCallsTest {
  private static final long PATIENCE_SECONDS = 60;

  interface Kitchen extends Remote {
    CompletableFuture<String> order(String dish) throws RemoteException;

    CompletableFuture<String> loader() throws RemoteException;
  }

  private final CountDownLatch served = new CountDownLatch(1);
  private final Kitchen kitchen =
      new Kitchen() {
        @Override
        public CompletableFuture<String> order(String dish) {
          if (dish.isEmpty()) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("no dish"));
          }
          return dish.equals("slow")
              ? CompletableFuture.supplyAsync(this::slow)
              : CompletableFuture.completedFuture(dish + " is served");
        }

        private String slow() {
          try {
            return served.await(PATIENCE_SECONDS, TimeUnit.SECONDS) ? "at last" : "never";
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }

        @Override
        public CompletableFuture<String> loader() {
          return CompletableFuture.completedFuture(
              String.valueOf(Thread.currentThread().getContextClassLoader()));
        }
      };
  private final Node server = node();
  private final Node client = node();
  private Kitchen near;
  private Kitchen far;

  private static Node node() {
    Node node = new Node(List.of(new UkaFormat()));
    node.add(new LoopbackTechnology(node.upCall()));
    return node;
  }

  @Before
  public void exportKitchen() throws IOException {
    StubType type = StubTypes.of(Kitchen.class);
    ServerRef entry = server.export(kitchen, type.makeSkeleton(), type, 0, null);
    near = (Kitchen) entry.stub();
    far = (Kitchen) type.makeStub(client.reference(entry.id()));
  }

  @After
  public void closeNodes() {
    try {
      server.unexport(kitchen, true);
    } catch (NoSuchObjectException e) {
      assertThat(server.exported(kitchen)).as("unexported by the test").isNull();
    }
    server.close();
    client.close();
  }

  @Test
  public void outcomesArriveInTheFuture() throws Exception {
    for (Kitchen each : List.of(near, far)) {
      assertThat(each.order("soup").get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo("soup is served");
      assertThatThrownBy(() -> each.order("").get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseExactlyInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  public void callerGoesOnWhileItsCallIsPending() throws Exception {
    CompletableFuture<String> pending = near.order("slow");
    assertThat(pending).isNotDone();
    assertThat(near.order("salad").get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo("salad is served");
    assertThat(pending).isNotDone();
    served.countDown();
    assertThat(pending.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("at last");
  }

  @Test
  public void callThatCannotBeMadeFailsInTheFuture() throws Exception {
    server.unexport(kitchen, true);
    for (Kitchen each : List.of(near, far)) {
      CompletableFuture<String> future = each.order("soup");
      assertThatThrownBy(() -> future.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(NoSuchObjectException.class);
    }
  }

  @Test
  public void moreCallsThanMayBePendingAreMadeOneAfterAnother() throws Exception {
    int calls = 2 * PendingCalls.MAXIMUM;
    for (int i = 0; i < calls; i++) {
      assertThat(near.order("dish " + i).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .as("each call gives its place back")
          .isEqualTo("dish " + i + " is served");
    }
  }

  @Test
  public void thatAsManyCallsArePendingAsMayBeIsSaid() throws Exception {
    for (int i = 0; i < PendingCalls.MAXIMUM; i++) {
      assertThat(PendingCalls.enter()).isTrue();
    }
    CompletableFuture<String> refused;
    try {
      refused = near.order("soup");
    } finally {
      for (int i = 0; i < PendingCalls.MAXIMUM; i++) {
        PendingCalls.leave();
      }
    }
    assertThatThrownBy(() -> refused.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(RemoteException.class)
        .hasRootCauseMessage(PendingCalls.MAXIMUM + " calls are pending already");
    assertThat(near.order("soup").get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isEqualTo("soup is served");
  }

  @Test
  public void callIsExecutedWithTheLoaderOfItsExport() throws Exception {
    String expected = String.valueOf(Thread.currentThread().getContextClassLoader());
    Thread.currentThread().setContextClassLoader(null);
    try {
      for (Kitchen each : List.of(near, far)) {
        assertThat(each.loader().get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(expected);
      }
    } finally {
      Thread.currentThread().setContextClassLoader(PendingCallsTest.class.getClassLoader());
    }
  }
}
