package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.settings.Settings;
import java.util.Map;
import org.junit.Test;

public class MessagingSettingsTest {
  private static int lanes(Map<String, String> properties) {
    return new MessagingSettings(properties::get).lanes;
  }

  @Test
  public void lanesAreTwoForEachProcessorUnlessSet() {
    int processors = Runtime.getRuntime().availableProcessors();
    int expected = Math.min(16, Math.max(4, 2 * processors));
    assertThat(lanes(Map.of())).isEqualTo(expected);
    assertThat(lanes(Map.of(Settings.LANES.name(), "many"))).isEqualTo(expected);
  }
}
