package io.karmi.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.Test;

public class NumberSettingTest {
  private static final NumberSetting IDLE = Settings.IDLE_TIMEOUT;

  private static long idle(Map<String, String> properties) {
    return IDLE.get(properties::get);
  }

  @Test
  public void numberIsTakenWithinItsBounds() {
    assertThat(idle(Map.of("karmi.idleTimeout", " 17 "))).isEqualTo(17);
    assertThat(idle(Map.of("karmi.idleTimeout", "017"))).as("decimal").isEqualTo(17);
    assertThat(idle(Map.of())).isEqualTo(15_000);
    for (String wrong : List.of("-3", "99999999999", "1.5", "1e3", "soon", "", "10s", "0x10")) {
      assertThat(idle(Map.of("karmi.idleTimeout", wrong))).as(wrong).isEqualTo(15_000);
    }
  }

  @Test
  public void nextPropertyIsUsedWhereTheFirstIsNotSetOrIsNoNumber() {
    String jdk = "sun.rmi.transport.connectionTimeout";
    assertThat(idle(Map.of(jdk, "40"))).isEqualTo(40);
    assertThat(idle(Map.of("karmi.idleTimeout", "7", jdk, "40"))).isEqualTo(7);
    assertThat(idle(Map.of("karmi.idleTimeout", "1.5", jdk, "40"))).isEqualTo(40);
    assertThat(idle(Map.of("karmi.idleTimeout", "1.5", jdk, "?"))).isEqualTo(15_000);
  }

  @Test
  public void numbersOfTheJdkAreReadAsTheJdkDoes() {
    for (String value : List.of("12", "0x10", "#10", "010", " 12", "12 ", "", "x", "1L")) {
      System.setProperty("java.rmi.dgc.leaseValue", value);
      try {
        assertThat(Settings.LEASE.get())
            .as("'%s'", value)
            .isEqualTo(Long.getLong("java.rmi.dgc.leaseValue", 600_000));
      } finally {
        System.clearProperty("java.rmi.dgc.leaseValue");
      }
    }
  }

  @Test
  public void zeroIsAllowedBelowTheLeastWhereItMeansNone() {
    assertThat(Settings.KEEP_ALIVE.allows("0")).isTrue();
    assertThat(Settings.KEEP_ALIVE.allows("10")).isFalse();
    assertThat(Settings.KEEP_ALIVE.allows("1000")).isTrue();
  }

  @Test
  public void wrongNumberOfASecuritySettingIsNotReplacedByTheDefault() {
    assertThatThrownBy(
            () -> Settings.MAX_CONNECTIONS.get(Map.of("karmi.maxConnections", "-5")::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "karmi.maxConnections=-5 is none of its values: a whole number from 1 to 2147483647");
  }
}
