package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import java.util.HashSet;
import java.util.Set;
import org.junit.Test;

/** Ports for JVMs that are yet to be started. */
public class FreePortTest {
  private static final int PORTS = 1_000;

  @Test
  public void noPortIsGivenTwice() throws Exception {
    Set<Integer> given = new HashSet<>();
    for (int i = 0; i < PORTS; i++) {
      assertThat(given.add(FreePort.any())).as("another port").isTrue();
    }
  }
}
