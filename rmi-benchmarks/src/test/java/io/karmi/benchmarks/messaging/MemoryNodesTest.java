package io.karmi.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public class MemoryNodesTest {
  @Test
  public void allMessagesOfManyNodesArriveAndRequestsAreAnswered() throws Exception {
    try (MemoryNodes nodes = MemoryNodes.of(64)) {
      for (int i = 0; i < 64 * 4; i++) {
        nodes.send(64);
      }
      for (int i = 0; i < 64; i++) {
        nodes.request(64);
      }
      long deadline = System.nanoTime() + 60_000_000_000L;
      while (nodes.arrived() < 64 * 4 && System.nanoTime() - deadline < 0) {
        Thread.onSpinWait();
      }
      assertThat(nodes.arrived()).isEqualTo(64 * 4);
    }
  }
}
