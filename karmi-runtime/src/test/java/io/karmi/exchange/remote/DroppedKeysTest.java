package io.karmi.exchange.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.directory.DroppedKey;
import org.junit.Test;

public class DroppedKeysTest {
  private final DroppedKeys keys = new DroppedKeys();

  @Test
  public void theLastNumberOfEachKeyIsKept() {
    keys.add(new DroppedKey("one", 5, 1), new DroppedKey("two", 6, 2), new DroppedKey("one", 4, 3));
    keys.add(new DroppedKey("one", 7, 1)); // of the next server
    assertThat(keys.all())
        .containsExactly(new DroppedKey("two", 6, 2), new DroppedKey("one", 7, 1));
  }

  /** A server may tell of any number of them, of any length. */
  @Test
  public void theNewestOnesAreKept() {
    keys.add(new DroppedKey("k".repeat(1025), 1, 1));
    for (int i = 1; i <= DroppedKey.MAXIMUM + 5; i++) {
      keys.add(new DroppedKey("key " + i, i, i));
    }
    assertThat(keys.all()).hasSize(DroppedKey.MAXIMUM);
    assertThat(keys.all()[0].key()).isEqualTo("key 6");
  }
}
