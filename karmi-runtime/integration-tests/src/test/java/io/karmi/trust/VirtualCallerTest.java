package io.karmi.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Jvm;
import java.util.List;
import org.junit.Test;

/** Callers on virtual threads, beside stock RMI. */
public class VirtualCallerTest {
  private static final String MAIN = VirtualCaller.class.getName();

  private static List<String> outcome(String runtime) throws Exception {
    try (Jvm server = Jvm.start(MAIN, runtime);
        Jvm caller = Jvm.start(MAIN, runtime, server.awaitLine("port "))) {
      return caller.everything();
    }
  }

  @Test
  public void interruptedVirtualCallerFaresAsOnStockRmi() throws Exception {
    assumeTrue("virtual threads", Runtime.version().feature() >= 21);
    List<String> stock = outcome("stock");
    assertThat(stock).contains("first returned", "next returned");
    assertThat(outcome("karmi")).isEqualTo(stock);
  }
}
