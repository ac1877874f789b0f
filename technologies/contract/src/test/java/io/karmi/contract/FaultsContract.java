package io.karmi.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import io.karmi.id.ObjectId;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/**
 * Connections that are idle, and what a test of peers that die and of leaks is made of. A process
 * is idle if it takes less of one processor than {@value #IDLE_PERCENT} percent, in two seconds or
 * in {@code -Dkarmi.test.idleSeconds=60}.
 */
public abstract class FaultsContract {
  protected static final long SECONDS = 60;

  /** The loss is told by the kernel at once; the rest is for a machine that is busy. */
  private static final long MOST_SECONDS_TO_NOTICE = 10;

  private static final Path OWN_DESCRIPTORS = Path.of("/proc/self/fd");
  private static final long WINDOW_MILLIS = 1000L * Integer.getInteger("karmi.test.idleSeconds", 2);
  private static final int IDLE_PERCENT = 2;

  /**
   * Opens one more instance of the technology.
   *
   * @param settings names and values, in turn, in place of the system properties
   */
  protected abstract Technology open(UpCall upCall, String... settings) throws IOException;

  /** How many connections are open and idle at once. */
  protected abstract int idleConnections();

  /** Calls a method that never returns, of a peer that says when it has begun. */
  protected static FutureTask<Integer> callThatHangs(Jvm peer, Technology client) throws Exception {
    ObjectId target = PeerMain.object(peer);
    FutureTask<Integer> call = new FutureTask<>(() -> Nodes.next(client, target, 1));
    new Thread(call).start();
    peer.awaitLine(PeerMain.CALLED);
    return call;
  }

  /** Kills a peer that executes a call. */
  protected static void assertDeathIsNoticed(Jvm peer, Future<Integer> call) throws Exception {
    peer.kill();
    long killed = System.nanoTime();
    assertThatThrownBy(() -> call.get(SECONDS, TimeUnit.SECONDS))
        .hasCauseInstanceOf(RemoteException.class);
    assertThat(System.nanoTime() - killed)
        .isLessThan(TimeUnit.SECONDS.toNanos(MOST_SECONDS_TO_NOTICE));
  }

  @Test
  public void idleConnectionsUseNoProcessorTime() throws Exception {
    int idle = idleConnections();
    Callee node = Nodes.successorFor(idle);
    ExecutorService callers = Executors.newFixedThreadPool(idle);
    try (Technology server = open(node);
        Technology client = open(Nodes.caller(), "karmi.idleTimeout", "3600000")) {
      ObjectId target = Nodes.object(node, server.listen(0));
      openTogether(callers, idle, client, target);
      assertThat(client.counters()).containsEntry("connectionsOpened", (long) idle);
      Deadline.await(
          "a window in which hardly any time is used", () -> busyPercent(idle) < IDLE_PERCENT);
      assertThat(server.counters()).containsEntry("connectionsAccepted", (long) idle);
    } finally {
      callers.shutdownNow();
    }
  }

  /** Processor time of this process in a window, in percent of one processor. */
  private static long busyPercent(int connections) {
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
    long used = system.getProcessCpuTime() - before;
    System.out.printf(
        "%d idle connections, both ends: %d ms of processor time in %d ms%n",
        connections, used / 1_000_000, WINDOW_MILLIS);
    return 100 * used / (System.nanoTime() - start);
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

  /** Opens connections at once, uses each, and closes both ends. */
  protected final void round(int connections) throws Exception {
    Callee node = Nodes.successorFor(connections);
    ExecutorService callers = Executors.newFixedThreadPool(connections);
    try (Technology server = open(node);
        Technology client = open(Nodes.caller())) {
      ObjectId target = Nodes.object(node, server.listen(0));
      openTogether(callers, connections, client, target);
      assertThat(client.counters()).containsEntry("connectionsOpened", (long) connections);
    } finally {
      callers.shutdownNow();
      assertThat(callers.awaitTermination(SECONDS, TimeUnit.SECONDS)).isTrue();
    }
  }

  /**
   * Opens and closes connections in rounds, and waits until their descriptors and threads are gone.
   *
   * @param threadName what the names of the technology's threads contain
   */
  protected final void assertRoundsLeaveNothing(int rounds, int connections, String threadName)
      throws Exception {
    assumeTrue("a system with /proc", Files.isReadable(OWN_DESCRIPTORS));
    round(2);
    long descriptors = sockets();
    long threads = threads(threadName);
    for (int i = 0; i < rounds; i++) {
      round(connections);
    }
    Deadline.await("descriptors are closed", () -> sockets() <= descriptors);
    Deadline.await("threads have ended", () -> threads(threadName) <= threads);
  }

  /** Open sockets, pipes and selectors: a class loader may open files meanwhile. */
  private static long sockets() {
    long found = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(OWN_DESCRIPTORS)) {
      for (Path each : all) {
        String target = Files.readSymbolicLink(each).toString();
        if (target.startsWith("socket:")
            || target.startsWith("pipe:")
            || target.startsWith("anon_inode:")) {
          found++;
        }
      }
      return found;
    } catch (NoSuchFileException e) {
      return sockets(); // one was closed meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains(name))
        .count();
  }
}
