package io.karmi.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import io.karmi.contract.Callee;
import io.karmi.contract.Deadline;
import io.karmi.contract.Nodes;
import io.karmi.contract.PeerMain;
import io.karmi.id.ObjectId;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.Test;

/** Peers that are killed, connections that are idle, and what is left of all of them. */
public class UcxFaultsTest {
  @BeforeClass
  public static void assumeUcx() {
    Open.assumeInstalled();
  }

  private static final long SECONDS = 60;

  /** The loss is told by the kernel at once; the rest is for a machine that is busy. */
  private static final long MOST_SECONDS_TO_NOTICE = 10;

  private static final int ROUNDS = 10;
  private static final int CONNECTIONS_PER_ROUND = 20;
  private static final int IDLE_CONNECTIONS = 50;
  private static final long WINDOW_MILLIS = 2000;

  @Test
  public void peerThatIsKilledDuringACallIsNoticedAtOnce() throws Exception {
    Open.assumeInstalled();
    try (Jvm peer = PeerMain.startHanging(AnyUcxProvider.class);
        Technology client = Open.technology(Nodes.caller())) {
      ObjectId target = PeerMain.object(peer);
      FutureTask<Integer> call = new FutureTask<>(() -> Nodes.next(client, target, 1));
      new Thread(call).start();
      peer.awaitLine(PeerMain.CALLED);
      peer.kill();
      long killed = System.nanoTime();
      assertThatThrownBy(() -> call.get(SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RemoteException.class);
      assertThat(System.nanoTime() - killed)
          .isLessThan(TimeUnit.SECONDS.toNanos(MOST_SECONDS_TO_NOTICE));
    }
  }

  @Test
  public void idleConnectionsUseNoProcessorTime() throws Exception {
    Callee node = Nodes.successorFor(IDLE_CONNECTIONS);
    ExecutorService callers = Executors.newFixedThreadPool(IDLE_CONNECTIONS);
    try (Technology server = Open.technology(node);
        Technology client = Open.technology(Nodes.caller(), "karmi.idleTimeout", "3600000")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      openTogether(callers, IDLE_CONNECTIONS, client, target);
      assertThat(client.counters()).containsEntry("connectionsOpened", (long) IDLE_CONNECTIONS);
      Deadline.await("a window in which hardly any time is used", () -> busyPercent() < 10);
      assertThat(server.counters()).containsEntry("connectionsAccepted", (long) IDLE_CONNECTIONS);
    } finally {
      callers.shutdownNow();
    }
  }

  /** Processor time of this process in a window, in percent of one processor. */
  private static long busyPercent() {
    com.sun.management.OperatingSystemMXBean system =
        (com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean();
    long before = system.getProcessCpuTime();
    long start = System.nanoTime();
    try {
      Thread.sleep(WINDOW_MILLIS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return 100 * (system.getProcessCpuTime() - before) / (System.nanoTime() - start);
  }

  private static void openTogether(
      ExecutorService callers, int count, Technology client, ObjectId target) throws Exception {
    List<Future<Integer>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(callers.submit(() -> Nodes.next(client, target, 1)));
    }
    for (Future<Integer> each : all) {
      assertThat(each.get(SECONDS, TimeUnit.SECONDS)).isEqualTo(2);
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
    Deadline.await("links are closed", () -> Link.openLinks() == 0);
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

  private static void round(int connections) throws Exception {
    Callee node = Nodes.successorFor(connections);
    ExecutorService callers = Executors.newFixedThreadPool(connections);
    try (Technology server = Open.technology(node);
        Technology client = Open.technology(Nodes.caller())) {
      ObjectId target = Nodes.object(node, server.listen(0));
      openTogether(callers, connections, client, target);
      assertThat(client.counters()).containsEntry("connectionsOpened", (long) connections);
    } finally {
      callers.shutdownNow();
      assertThat(callers.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().contains("UCX"))
            .count();
  }
}
