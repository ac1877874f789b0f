package io.karmi.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** Ids that an enemy chooses. */
public class NodeIdTest {
  @Test
  public void idsOfOneHashCodeDoNotMakeTablesSlow() {
    Map<NodeId, Integer> table = new HashMap<>();
    int count = 40_000;
    long begun = System.nanoTime();
    for (int i = 1; i <= count; i++) {
      NodeId id = NodeId.of(i, i);
      assertThat(id.hashCode() == NodeId.of(1, 1).hashCode()).isTrue();
      table.put(id, i);
    }
    assertThat(table).hasSize(count);
    assertThat(table.get(NodeId.of(777, 777))).isEqualTo(777);
    assertThat(System.nanoTime() - begun)
        .as("a list would be 800 million comparisons of ids all over the heap, and then twice")
        .isLessThan(10_000_000_000L);
  }

  @Test
  public void orderIsConsistentWithEquality() {
    assertThat(NodeId.of(1, 2)).isEqualByComparingTo(NodeId.of(1, 2)).isLessThan(NodeId.of(1, 3));
    assertThat(NodeId.of(-1, 2)).isLessThan(NodeId.of(1, 2));
  }
}
