package io.karmi.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.Test;

public class LoginLimitTest {
  private long now = Long.MAX_VALUE - 5; // it runs over
  private final LoginLimit limit = new LoginLimit(() -> now);

  @Test
  public void failedLoginsAreFollowedByOneASecond() {
    for (int i = 0; i < LoginLimit.AT_ONCE; i++) {
      limit.begin("here");
    }
    assertRefused("here");
    assertThatCode(() -> limit.begin("elsewhere")).doesNotThrowAnyException();
    now += TimeUnit.MILLISECONDS.toNanos(1001);
    limit.begin("here");
    assertRefused("here");
    now += TimeUnit.SECONDS.toNanos(100);
    for (int i = 0; i < LoginLimit.AT_ONCE; i++) {
      limit.begin("here");
    }
    assertRefused("here");
  }

  @Test
  public void successfulLoginsAreNotLimited() {
    for (int i = 0; i < 1000; i++) {
      limit.begin("here");
      limit.succeeded("here");
    }
  }

  @Test
  public void hostsAreForgotten() {
    for (int i = 0; i < 100_000; i++) {
      limit.begin("host " + i);
      now += TimeUnit.MILLISECONDS.toNanos(10);
    }
    assertThat(limit.hosts()).isLessThan(1100);
  }

  private void assertRefused(String host) {
    assertThatThrownBy(() -> limit.begin(host))
        .isInstanceOf(SecurityException.class)
        .hasMessageContaining("too many logins from " + host);
  }
}
