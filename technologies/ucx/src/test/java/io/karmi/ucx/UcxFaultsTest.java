package io.karmi.ucx;

import static org.junit.Assume.assumeTrue;

import io.karmi.contract.FaultsContract;
import io.karmi.contract.Nodes;
import io.karmi.contract.PeerMain;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.Test;

/** Peers that are killed, connections that are idle, and what is left of all of them. */
public class UcxFaultsTest extends FaultsContract {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  private static final int ROUNDS = 10;
  private static final int CONNECTIONS_PER_ROUND = 20;

  @Override
  protected Technology open(UpCall upCall, String... settings) throws IOException {
    return Open.technology(upCall, settings);
  }

  @Override
  protected int idleConnections() {
    return 50;
  }

  @Test
  public void peerThatIsKilledDuringACallIsNoticedAtOnce() throws Exception {
    try (Jvm peer = PeerMain.startHanging(AnyUcxProvider.class);
        Technology client = Open.technology(Nodes.caller())) {
      assertDeathIsNoticed(peer, callThatHangs(peer, client));
    }
  }

  @Test
  public void manyConnectionsLeaveNoLinkDescriptorMappingOrThread() throws Exception {
    assumeTrue("a system with /proc", Files.isReadable(Path.of("/proc/self/maps")));
    round(2);
    long descriptors = entries("/proc/self/fd");
    long mappings = mappings();
    for (int i = 0; i < ROUNDS; i++) {
      round(CONNECTIONS_PER_ROUND);
    }
    Deadline.await("links are closed", () -> UcxLink.openLinks() == 0);
    Deadline.await("threads have ended", () -> threads() == 0);
    Deadline.await("descriptors are closed", () -> entries("/proc/self/fd") <= descriptors + 5);
    Deadline.await("shared memory is unmapped", () -> mappings() <= mappings);
  }

  private static long mappings() {
    try (Stream<String> all = Files.lines(Path.of("/proc/self/maps"))) {
      return all.filter(line -> line.contains("ucx") && line.contains("shm")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long entries(String directory) {
    try (Stream<Path> all = Files.list(Path.of(directory))) {
      return all.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().contains("UCX"))
            .count();
  }
}
