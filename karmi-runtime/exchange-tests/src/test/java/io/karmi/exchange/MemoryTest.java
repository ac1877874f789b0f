package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.server.TableMemoryMain;
import io.karmi.kit.Jvm;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * What groups take in memory where they are only known. {@code -Dkarmi.test.groups=1000000} holds
 * as many in a member, in place of 100,000.
 */
public class MemoryTest {
  private static final int HELD = Integer.getInteger("karmi.test.groups", 100_000);

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static long number(Jvm jvm, String beginning) throws Exception {
    return Long.parseLong(jvm.awaitLine(beginning));
  }

  @Test
  public void directoryHasAMillionGroupsIn512MegabytesWith300BytesEach() throws Exception {
    String main = TableMemoryMain.class.getName();
    try (Jvm jvm =
        Jvm.start("-XX:TieredStopAtLevel=4", "-Xmx512m", "-XX:+UseSerialGC", main, "1000000")) {
      assertThat(number(jvm, "bytes ")).isBetween(50L, 300L);
      assertThat(number(jvm, "groups ")).isEqualTo(1_000_000);
    }
  }

  @Test
  public void groupThatIsHeldAndNotReadTakes200Bytes() throws Exception {
    try (Cluster cluster = new Cluster(folder.getRoot().toPath());
        Jvm jvm =
            Jvm.start(
                "-XX:TieredStopAtLevel=4",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Dkarmi.exchange.dir=" + folder.newFolder("a"),
                HoldingMain.class.getName(),
                cluster.url(),
                Integer.toString(HELD))) {
      assertThat(number(jvm, "held ")).isEqualTo(HELD);
      assertThat(number(jvm, "bytes ")).isBetween(50L, 200L);
      assertThat(number(jvm, "left ")).isNotNegative(); // bounded there
    }
  }
}
