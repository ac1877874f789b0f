package io.karmi.dgc.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import org.junit.Test;

/** References that come to virtual threads. */
public class VirtualHoldersTest {
  @Test(timeout = 60_000)
  public void whoWaitsForAnOwnersAnswerLeavesItsCarrierToOthers() throws Exception {
    assumeTrue("virtual threads", Runtime.version().feature() >= 21);
    try (Jvm holder =
        Jvm.start(
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1",
            VirtualHolders.class.getName())) {
      assertThat(holder.everything()).containsExactly("both arrived");
    }
  }
}
