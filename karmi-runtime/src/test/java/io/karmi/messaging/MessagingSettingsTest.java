package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.Test;

public class MessagingSettingsTest {
  private static int lanes(Map<String, String> properties) {
    return new MessagingSettings(properties::get).lanes;
  }

  @Test
  public void lanesAreTwoToSixteen() {
    assertThat(lanes(Map.of("karmi.messaging.lanes", "3"))).isEqualTo(3);
    assertThat(lanes(Map.of("karmi.messaging.lanes", "1"))).isEqualTo(2);
    assertThat(lanes(Map.of("karmi.messaging.lanes", "17"))).isEqualTo(16);
  }

  @Test
  public void lanesAreTwoForEachProcessorUnlessSet() {
    int processors = Runtime.getRuntime().availableProcessors();
    int expected = Math.min(16, Math.max(4, 2 * processors));
    assertThat(lanes(Map.of())).isEqualTo(expected);
    assertThat(lanes(Map.of("karmi.messaging.lanes", "many"))).isEqualTo(expected);
  }
}
