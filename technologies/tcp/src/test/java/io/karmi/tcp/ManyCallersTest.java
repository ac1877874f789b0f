package io.karmi.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.Callee;
import io.karmi.id.ObjectId;
import java.rmi.ConnectIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class ManyCallersTest {
  private static final int CALLERS = 1000;

  @Test
  public void aThousandCallersAreServedAtOnce() throws Exception {
    Callee node = Wire.successorFor(CALLERS);
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try (TcpTechnology server = Wire.open(node);
        TcpTechnology client = Wire.open(Wire.caller())) {
      ObjectId target = Wire.object(node, server.listen(0));
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int value = i;
        all.add(callers.submit(() -> Wire.next(client, target, value)));
      }
      for (int i = 0; i < CALLERS; i++) {
        assertThat(all.get(i).get(90, TimeUnit.SECONDS)).isEqualTo(i + 1);
      }
      assertThat(node.calls()).isEqualTo(CALLERS);
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

  private static void assertSecondIsRefused(String limit) throws Exception {
    Callee node = Wire.successor();
    try (TcpTechnology server = Wire.open(node, limit, "1");
        TcpTechnology first = Wire.open(Wire.caller());
        TcpTechnology second = Wire.open(Wire.caller())) {
      ObjectId target = Wire.object(node, server.listen(0));
      ObjectId again =
          new ObjectId(
              node.node(),
              Callee.OBJECT,
              first.locate("localhost", Wire.port(target.technology(0))));
      assertThat(Wire.next(first, target, 1)).isEqualTo(2);
      assertThatThrownBy(() -> Wire.next(second, again, 1))
          .isInstanceOf(ConnectIOException.class)
          .hasMessageContaining("maximum of 1 (karmi.maxConnections)");
      assertThat(Wire.next(first, target, 2)).as("the first is not harmed").isEqualTo(3);
    }
  }
}
