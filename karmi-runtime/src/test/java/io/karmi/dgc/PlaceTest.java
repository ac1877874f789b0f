package io.karmi.dgc;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** Places that an enemy chooses. */
public class PlaceTest {
  private static Place place(long node, String address) {
    return Place.of(
        new ObjectId(NodeId.of(node, node), 1L << 32, new TechnologyId("memory", address)));
  }

  @Test
  public void placesOfOneHashCodeDoNotMakeTablesSlow() {
    Map<Place, Integer> table = new HashMap<>();
    int count = 40_000;
    long begun = System.nanoTime();
    for (int i = 1; i <= count; i++) {
      table.put(place(i, "here"), i);
    }
    assertThat(place(2, "here").hashCode()).isEqualTo(place(1, "here").hashCode());
    assertThat(table).hasSize(count);
    assertThat(table.get(place(777, "here"))).isEqualTo(777);
    assertThat(System.nanoTime() - begun)
        .as("a list would be 800 million comparisons")
        .isLessThan(10_000_000_000L);
  }

  @Test
  public void orderIsConsistentWithEqualityWhereNothingHasBeenFound() {
    assertThat(place(1, "here")).isEqualByComparingTo(place(1, "here")).isEqualTo(place(1, "here"));
    assertThat(place(1, "here")).isLessThan(place(1, "there")).isLessThan(place(2, "here"));
  }
}
