package io.karmi.exchange.directory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.After;
import org.junit.Test;

public class AttemptsTest {
  @After
  public void clear() {
    System.clearProperty("karmi.keepAlive");
  }

  @Test
  public void directoriesAreWaitedForAsLongAsCallees() {
    assertThat(Attempts.limitMillis()).isEqualTo(30_000);
    System.setProperty("karmi.keepAlive", "5000");
    assertThat(Attempts.limitMillis()).isEqualTo(5_000);
  }

  @Test
  public void directoriesAreNotWaitedForWithoutALimit() {
    System.setProperty("karmi.keepAlive", "0");
    assertThat(Attempts.limitMillis()).isEqualTo(30_000);
  }
}
