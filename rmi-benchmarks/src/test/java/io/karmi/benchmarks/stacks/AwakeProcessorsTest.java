package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.benchmarks.kernels.KernelServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What keeps the processors awake is at work, and never outlives who started it. */
public class AwakeProcessorsTest {
  private static final Duration SURELY_AT_WORK = Duration.ofSeconds(1);
  private static final long DEADLINE_SECONDS = 60;

  private Process spinning;

  @Before
  public void start() throws Exception {
    Path programs =
        Path.of(KernelServer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    spinning = new ProcessBuilder(AwakeProcessors.spinning(programs)).start();
  }

  @Test
  public void itSpinsUntilItsInputEnds() throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (processorTime().compareTo(SURELY_AT_WORK) < 0) {
      assertThat(System.nanoTime())
          .as("deadline, time used: " + processorTime())
          .isLessThan(deadline);
      assertThat(spinning.waitFor(10, TimeUnit.MILLISECONDS)).as("ended by itself").isFalse();
    }
    spinning.getOutputStream().close();
    assertThat(spinning.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(spinning.exitValue()).isZero();
  }

  @After
  public void end() {
    spinning.destroyForcibly();
  }

  private Duration processorTime() {
    return spinning.info().totalCpuDuration().orElse(Duration.ZERO);
  }
}
