package io.karmi.shm;

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
import java.nio.file.attribute.FileTime;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.Test;

/** Processes that share memory and are killed, stopped or idle, and what is left of them. */
public class ShmFaultsTest {
  private static final long SECONDS = 60;

  /** The loss is told by the kernel at once; the rest is for a machine that is busy. */
  private static final long MOST_SECONDS_TO_NOTICE = 10;

  private static final int ROUNDS = 20;
  private static final int CONNECTIONS_PER_ROUND = 50;
  private static final int IDLE_CONNECTIONS = 100;
  private static final long WINDOW_MILLIS = 2000;

  private static Stream<String> linesOf(String file) {
    try {
      return Files.readAllLines(Path.of(file)).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> descriptors(String process) {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(Path.of("/proc", process, "fd"))) {
      for (Path each : (Iterable<Path>) all::iterator) {
        if (Files.isSymbolicLink(each)) {
          found.add(Files.readSymbolicLink(each));
        }
      }
    } catch (java.nio.file.NoSuchFileException e) {
      return descriptors(process); // one was closed meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static long mappings() {
    return linesOf("/proc/self/maps").filter(line -> line.contains("/rings-")).count();
  }

  private static List<Path> files(Path directory) {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assumeLinux() {
    assumeTrue("a system with /proc", Files.isReadable(Path.of("/proc/self/maps")));
  }

  @Test
  public void peerThatIsKilledDuringACallIsNoticedAtOnceAndLeavesNothingBehind() throws Exception {
    assumeLinux();
    try (Jvm peer = PeerMain.startHanging(ShmProvider.class);
        Technology client = Shared.open(Nodes.caller())) {
      ObjectId target = PeerMain.object(peer);
      FutureTask<Integer> call = new FutureTask<>(() -> Nodes.next(client, target, 1));
      new Thread(call).start();
      peer.awaitLine(PeerMain.CALLED);
      Path left = directoryOf(peer);
      assertThat(files(left)).as("both have the memory").containsExactly(left.resolve("lock"));
      peer.kill();
      long killed = System.nanoTime();
      assertThatThrownBy(() -> call.get(SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RemoteException.class);
      assertThat(System.nanoTime() - killed)
          .isLessThan(TimeUnit.SECONDS.toNanos(MOST_SECONDS_TO_NOTICE));
      Files.setLastModifiedTime(left, FileTime.fromMillis(0));
      try (Jvm next = PeerMain.start(ShmProvider.class)) {
        PeerMain.object(next);
        assertThat(left).doesNotExist();
        assertThat(directoryOf(next)).exists();
      }
    }
  }

  private static Path directoryOf(Jvm peer) {
    return descriptors(Long.toString(peer.pid())).stream()
        .filter(file -> file.endsWith("lock") && file.toString().contains("/karmi-"))
        .findFirst()
        .orElseThrow()
        .getParent();
  }

  @Test
  public void nothingIsLostWhileAPeerIsStopped() throws Exception {
    int callers = 4;
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    AtomicInteger answered = new AtomicInteger();
    AtomicInteger most = new AtomicInteger(Integer.MAX_VALUE);
    try (Jvm peer = PeerMain.start(ShmProvider.class);
        Technology client = Shared.open(Nodes.caller())) {
      ObjectId target = PeerMain.object(peer);
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        all.add(
            threads.submit(
                () -> {
                  int done = 0;
                  for (; answered.get() < most.get(); done++) {
                    assertThat(Nodes.next(client, target, done)).isEqualTo(done + 1);
                    answered.incrementAndGet();
                  }
                  return done;
                }));
      }
      for (int stop = 0; stop < 3; stop++) {
        awaitMore(answered, 1000);
        peer.signal("STOP");
        Deadline.await("no call is answered", () -> isSilent(answered));
        peer.signal("CONT");
      }
      awaitMore(answered, 1000);
      most.set(0);
      int sum = 0;
      for (Future<Integer> each : all) {
        sum += each.get(SECONDS, TimeUnit.SECONDS);
      }
      assertThat(sum).isEqualTo(answered.get());
      assertThat(client.counters())
          .containsEntry("callsMade", (long) sum)
          .containsEntry("connectionsOpened", (long) callers);
    } finally {
      most.set(0);
      threads.shutdownNow();
    }
  }

  private static void awaitMore(AtomicInteger answered, int more) throws InterruptedException {
    int before = answered.get();
    Deadline.await(more + " more answers", () -> answered.get() > before + more);
  }

  private static boolean isSilent(AtomicInteger answered) {
    int before = answered.get();
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return answered.get() == before;
  }

  @Test
  public void idleConnectionsUseNoProcessorTime() throws Exception {
    Callee node = Nodes.successorFor(IDLE_CONNECTIONS);
    ExecutorService callers = Executors.newFixedThreadPool(IDLE_CONNECTIONS);
    try (Technology server = Shared.open(node);
        Technology client = Shared.open(Nodes.caller(), "karmi.idleTimeout", "3600000")) {
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
  public void thousandConnectionsLeaveNoFileDescriptorMappingOrThread() throws Exception {
    assumeLinux();
    Path directory = PrivateDirectory.ofThisProcess().newPath().getParent();
    round(2);
    System.gc();
    int descriptors = descriptors("self").size();
    int threads = threads();
    for (int i = 0; i < ROUNDS; i++) {
      round(CONNECTIONS_PER_ROUND);
    }
    assertThat(files(directory)).containsExactly(directory.resolve("lock"));
    Deadline.await("descriptors are closed", () -> descriptors("self").size() <= descriptors);
    Deadline.await("threads have ended", () -> threads() <= threads);
    Deadline.await(
        "memory is given back",
        () -> {
          System.gc();
          return mappings() == 0;
        });
  }

  private static void round(int connections) throws Exception {
    Callee node = Nodes.successorFor(connections);
    ExecutorService callers = Executors.newFixedThreadPool(connections);
    try (Technology server = Shared.open(node);
        Technology client = Shared.open(Nodes.caller())) {
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
            .filter(thread -> thread.getName().contains("SHM"))
            .count();
  }
}
