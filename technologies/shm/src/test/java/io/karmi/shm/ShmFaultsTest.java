package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.contract.FaultsContract;
import io.karmi.contract.Nodes;
import io.karmi.contract.PeerMain;
import io.karmi.id.ObjectId;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
public class ShmFaultsTest extends FaultsContract {
  private static final int ROUNDS = 20;
  private static final int CONNECTIONS_PER_ROUND = 50;

  @Override
  protected Technology open(UpCall upCall, String... settings) throws IOException {
    return Shared.open(upCall, settings);
  }

  @Override
  protected int idleConnections() {
    return 100;
  }

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

  /** Of networks, as a class loader may open files meanwhile. */
  private static long ownDescriptors() {
    return descriptors("self").stream()
        .filter(file -> !file.isAbsolute() || file.toString().contains("/karmi-"))
        .count();
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
      FutureTask<Integer> call = callThatHangs(peer, client);
      Path left = directoryOf(peer);
      assertThat(files(left)).as("both have the memory").containsExactly(left.resolve("lock"));
      assertDeathIsNoticed(peer, call);
      Files.setLastModifiedTime(left, FileTime.fromMillis(0));
      try (Jvm next = PeerMain.start(ShmProvider.class)) {
        PeerMain.object(next);
        Deadline.await("the next process removes it", () -> Files.notExists(left));
        assertThat(directoryOf(next)).exists();
      }
    }
  }

  @Test
  public void memoryOfAProcessThatIsKilledBeforeItIsSharedIsRemovedByTheNext() throws Exception {
    assumeLinux();
    try (Jvm peer = PeerMain.start(ShmProvider.class);
        ManualOpener opener = new ManualOpener(PeerMain.object(peer).technology(0))) {
      Path left = directoryOf(peer);
      peer.kill();
      assertThat(opener.file).as("made, and never unlinked").hasParent(left).isRegularFile();
      Files.setLastModifiedTime(left, FileTime.fromMillis(0)); // as if a minute had passed
      try (Jvm next = PeerMain.start(ShmProvider.class)) {
        PeerMain.object(next);
        Deadline.await("the next process removes it", () -> Files.notExists(left));
      }
    }
  }

  /** The directory of a process, once that has made it. */
  private static Path directoryOf(Jvm peer) throws InterruptedException {
    List<Path> found = new ArrayList<>();
    Deadline.await(
        "it has a directory for shared memory",
        () -> {
          descriptors(Long.toString(peer.pid())).stream()
              .filter(file -> file.endsWith("lock") && file.toString().contains("/karmi-"))
              .forEach(found::add);
          return !found.isEmpty();
        });
    return found.get(0).getParent();
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
  public void thousandConnectionsLeaveNoFileDescriptorMappingOrThread() throws Exception {
    assumeLinux();
    Path directory = PrivateDirectory.ofThisProcess().newPath().getParent();
    round(2);
    System.gc();
    long descriptors = ownDescriptors();
    int threads = threads();
    for (int i = 0; i < ROUNDS; i++) {
      round(CONNECTIONS_PER_ROUND);
    }
    assertThat(files(directory)).containsExactly(directory.resolve("lock"));
    Deadline.await("descriptors are closed", () -> ownDescriptors() <= descriptors);
    Deadline.await("threads have ended", () -> threads() <= threads);
    Deadline.await(
        "memory is given back",
        () -> {
          System.gc();
          return mappings() == 0;
        });
  }

  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().contains("SHM"))
            .count();
  }
}
