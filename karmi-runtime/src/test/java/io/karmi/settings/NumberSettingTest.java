package io.karmi.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.MessageFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class NumberSettingTest {
  private static final Logger LOG = Logger.getLogger("io.karmi.settings");

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final Handler listener =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          said.add(
              line.getLevel()
                  + " "
                  + MessageFormat.format(line.getMessage(), line.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @Before
  public void listen() {
    LOG.addHandler(listener);
    LOG.setUseParentHandlers(false);
  }

  @After
  public void listenNoMore() {
    LOG.removeHandler(listener);
    LOG.setUseParentHandlers(true);
  }

  private static long read(Map<String, String> properties, long byDefault, String... names) {
    return NumberSetting.of(properties::get, byDefault, 0, 1_000, names);
  }

  /** As a system property that is set for this call only. */
  private static long ofSystem(String name, String value, long byDefault) {
    System.setProperty(name, value);
    try {
      return NumberSetting.of(name, byDefault);
    } finally {
      System.clearProperty(name);
    }
  }

  @Test
  public void numberIsTakenInSilenceWithinItsBounds() {
    assertThat(read(Map.of("karmi.a", " 17 "), 5, "karmi.a")).isEqualTo(17);
    assertThat(read(Map.of("karmi.a", "017"), 5, "karmi.a")).as("decimal").isEqualTo(17);
    assertThat(read(Map.of("karmi.a", "-3"), 5, "karmi.a")).isZero();
    assertThat(read(Map.of("karmi.a", "2000"), 5, "karmi.a")).isEqualTo(1_000);
    assertThat(read(Map.of(), -1, "karmi.a")).as("the default has no bounds").isEqualTo(-1);
    assertThat(ofSystem("karmi.a", "12", 5)).isEqualTo(12);
    assertThat(said).isEmpty();
  }

  @Test
  public void whatIsNoNumberIsSaidOnceWithWhatIsUsed() {
    for (int i = 0; i < 3; i++) {
      assertThat(read(Map.of("karmi.b", "soon"), 5_000, "karmi.b")).isEqualTo(5_000);
      assertThat(ofSystem("karmi.c", "10s", 7)).isEqualTo(7);
      assertThat(ofSystem("karmi.c", "", 7)).isEqualTo(7);
    }
    assertThat(said)
        .containsExactly(
            "WARNING karmi.b=soon is no whole number and is ignored: 5000 is used",
            "WARNING karmi.c=10s is no whole number and is ignored: 7 is used",
            "WARNING karmi.c= is no whole number and is ignored: 7 is used");
  }

  @Test
  public void nextPropertyIsUsedForOneThatIsNoNumber() {
    Map<String, String> both = Map.of("karmi.d", "1.5", "sun.rmi.d", "40");
    assertThat(read(both, 5, "karmi.d", "sun.rmi.d")).isEqualTo(40);
    Map<String, String> neither = Map.of("karmi.e", "1e3", "sun.rmi.e", "?");
    assertThat(read(neither, -1, "karmi.e", "sun.rmi.e")).isEqualTo(-1);
    assertThat(said)
        .containsExactly(
            "WARNING karmi.d=1.5 is no whole number and is ignored: 40 is used",
            "WARNING sun.rmi.e=? is no whole number and is ignored: its default is used",
            "WARNING karmi.e=1e3 is no whole number and is ignored: its default is used");
  }

  @Test
  public void propertiesOfTheJdkAreReadAsTheJdkDoes() {
    for (String value : List.of("12", "0x10", "#10", "010", "-1", " 12", "12 ", "", "x", "1L")) {
      System.setProperty("sun.rmi.f", value);
      try {
        assertThat(NumberSetting.of("sun.rmi.f", 99))
            .as("'%s'", value)
            .isEqualTo(Long.getLong("sun.rmi.f", 99));
      } finally {
        System.clearProperty("sun.rmi.f");
      }
    }
    assertThat(said).hasSize(5);
  }

  @Test
  public void intsHaveALowerBoundAndDoNotOverflow() {
    System.setProperty("karmi.g", "99999999999");
    System.setProperty("karmi.h", "-5");
    try {
      assertThat(NumberSetting.of("karmi.g", 10, 1)).isEqualTo(Integer.MAX_VALUE);
      assertThat(NumberSetting.of("karmi.h", 10, 1)).isEqualTo(1);
      assertThat(NumberSetting.of("karmi.i", 10, 1)).isEqualTo(10);
    } finally {
      System.clearProperty("karmi.g");
      System.clearProperty("karmi.h");
    }
    assertThat(said).isEmpty();
  }
}
