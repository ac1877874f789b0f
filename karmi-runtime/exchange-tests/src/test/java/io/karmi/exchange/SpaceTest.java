package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.exchange.server.ExchangeServer;
import io.karmi.exchange.server.FirstServer;
import io.karmi.guard.OwnDirectory;
import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The space within one JVM, which is server and member. */
public class SpaceTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final List<String> PROPERTIES =
      List.of("karmi.exchange.dir", "karmi.exchange.store");

  private static ExchangeServer server;
  private static ExchangeSpace space;
  private static String url;

  @BeforeClass
  public static void join() throws Exception {
    System.setProperty("karmi.exchange.dir", FOLDER.newFolder("files").toString());
    System.setProperty("karmi.exchange.store", FOLDER.getRoot() + "/store");
    server = FirstServer.start(0);
    url = "//localhost:" + server.port() + "/exchange";
    space = ExchangeSpace.join(url);
  }

  @AfterClass
  public static void leave() {
    space.close();
    server.close();
    PROPERTIES.forEach(System::clearProperty);
  }

  /** The files of groups; one may go meanwhile. */
  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        FOLDER.getRoot().toPath().resolve("files"),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && !file.endsWith("lock")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException gone) {
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  private static long sum(Object root) {
    return Graphs.sum(root);
  }

  @Test
  public void oneSpaceIsJoinedPerDirectory() throws Exception {
    assertThat(ExchangeSpace.join(url)).isSameAs(space);
    assertThat(ExchangeSpace.join(url.replace("localhost", "127.0.0.1"))).isSameAs(space);
    assertThatThrownBy(() -> ExchangeSpace.join("other://localhost/x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no directory for other://localhost/x");
  }

  /** Its directory is waited for, for half a minute. */
  @Test
  public void spaceThatCannotBeJoinedYetKeepsNoOneFromLeavingOrJoiningAnother() throws Exception {
    String other = "//localhost:" + FreePort.any() + "/exchange";
    FutureTask<ExchangeSpace> joining = new FutureTask<>(() -> ExchangeSpace.join(other));
    Thread waiting = new Thread(joining, "joins");
    waiting.start();
    Deadline.await("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
    FutureTask<Boolean> rejoining =
        new FutureTask<>(
            () -> {
              Spaces.left(Spaces.joined(ExchangeSpace.join(url)));
              return true;
            });
    new Thread(rejoining, "leaves").start();
    try {
      assertThat(rejoining.get(10, TimeUnit.SECONDS)).isTrue();
      assertThat(joining.isDone()).isFalse();
    } finally {
      waiting.interrupt();
      space.close();
      space = ExchangeSpace.join(url);
    }
    assertThatThrownBy(joining::get).hasCauseInstanceOf(IOException.class);
  }

  @Test
  public void keysAreAwaitedForEver() throws Exception {
    try (Group<String> group = space.put("awaited", "value")) {
      assertThat(space.await("awaited", ChronoUnit.FOREVER.getDuration()).address())
          .isEqualTo(group.address());
    }
  }

  @Test
  public void objectsAreSharedAndCopiesAreNot() throws Exception {
    ArrayList<Object> root = Graphs.random(11, 200);
    try (Group<ArrayList<Object>> group = space.put(root);
        Group<ArrayList<Object>> again = space.get(group.address())) {
      long sum = sum(root);
      root.clear();
      assertThat(sum(group.object())).isEqualTo(sum);
      assertThat(again.object()).isSameAs(group.object()).isNotSameAs(root);
      assertThat(again.copy()).isNotSameAs(group.object());
      assertThat(sum(again.copy())).isEqualTo(sum);
      assertThat(again.lengthBytes()).isEqualTo(group.lengthBytes()).isPositive();
    }
  }

  @Test
  public void closedGroupsAreNotUsedAndObjectsLiveOn() throws Exception {
    Group<ArrayList<Object>> group = space.put(Graphs.random(1, 5_000));
    ArrayList<Object> objects = group.object();
    group.close();
    group.close();
    assertThat(objects).hasSize(5_000);
    assertThatThrownBy(group::object).hasMessageContaining("was closed here");
    String name = group.address().toString();
    Deadline.await("its file goes", () -> files().stream().noneMatch(file -> file.endsWith(name)));
    assertThatThrownBy(() -> space.get(group.address()))
        .isInstanceOf(GroupLostException.class)
        .hasMessageContaining(group.address().toString());
  }

  @Test
  public void filesAreWholeAndOfTheUserAlone() throws Exception {
    try (Group<?> large = space.put(new byte[1 << 20]);
        Group<?> small = space.put("small")) {
      List<Path> files = files();
      assertThat(files)
          .extracting(file -> file.getFileName().toString())
          .contains(large.address().toString())
          .anyMatch(name -> name.endsWith(".pack"));
      int stay = 0;
      for (Path file : files) {
        try {
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
              .isEqualTo("r--------");
          stay++;
        } catch (NoSuchFileException e) {
          continue; // of a group that another test has closed
        }
        assertThat(
                PosixFilePermissions.toString(
                    Files.getPosixFilePermissions(file.getParent(), LinkOption.NOFOLLOW_LINKS)))
            .isEqualTo("rwx------");
      }
      assertThat(stay).as("files of these two groups at least").isGreaterThanOrEqualTo(2);
      assertThat(small.object()).isEqualTo("small");
    }
  }

  @Test
  public void whatCannotBeSerializedLeavesNothing() throws Exception {
    List<Path> before = files();
    Map<String, Object> bad = new HashMap<>();
    bad.put("large", new byte[1 << 20]);
    bad.put("thread", new Thread());
    assertThatThrownBy(() -> space.put(bad)).isInstanceOf(NotSerializableException.class);
    class Served implements Remote {}

    Served served = new Served();
    Remote stub = UnicastRemoteObject.exportObject(new Called(), 0);
    for (Object each : List.of(served, stub)) {
      assertThatThrownBy(() -> space.put(new Object[] {each}))
          .isInstanceOf(NotSerializableException.class)
          .hasMessageContaining("is a remote object");
    }
    assertThat(files()).filteredOn(file -> file.getFileName().toString().startsWith(".")).isEmpty();
    assertThat(files().size()).isLessThanOrEqualTo(before.size() + 1);
  }

  /** A remote interface. */
  public interface Call extends Remote {
    /** Called by no one. */
    void call() throws RemoteException;
  }

  private static final class Called implements Call {
    @Override
    public void call() {
      // called by no one
    }
  }

  @Test
  public void groupsTravelAsAddresses() throws Exception {
    try (Group<ArrayList<Object>> group = space.put(Graphs.random(3, 1000))) {
      byte[] bytes = bytes(group);
      assertThat(bytes.length).isLessThan(120);
      assertThat(bytes(new Object[] {group, space.get(group.address())}).length - bytes.length)
          .isLessThan(100);
      try (Group<?> read =
          (Group<?>) new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject()) {
        assertThat(read.address()).isEqualTo(group.address());
        assertThat(read.object()).isSameAs(group.object());
      }
      bytes[bytes.length - 20] ^= 1; // the number of the space
      assertThatThrownBy(() -> new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject())
          .hasMessageContaining("join the space first");
    }
  }

  private static byte[] bytes(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  @Test
  public void keysAreBoundOnce() throws Exception {
    Group<String> first = space.put("once", "first");
    assertThatThrownBy(() -> space.put("once", "second"))
        .isInstanceOf(KeyTakenException.class)
        .hasMessageContaining(first.address().toString());
    assertThat(space.<String>get("once").object()).isEqualTo("first");
    space.replace("once", "third");
    assertThat(space.<String>get("once").object()).isEqualTo("third");
    assertThat(first.object()).isEqualTo("first");
    assertThatThrownBy(() -> space.get("never"))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("'never'");
    assertThatThrownBy(() -> space.put("x".repeat(1025), "long"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  public void putsAndReleasesLeaveNothing() throws Exception {
    int cycles = 100_000;
    long descriptors = descriptors();
    int threads = Thread.activeCount();
    for (int i = 0; i < cycles; i++) {
      Object root = i % 1000 == 0 ? new byte[70_000] : (Object) i;
      try (Group<Object> group = space.put(root)) {
        if (i % 100 == 0) {
          assertThat(group.object()).isEqualTo(root);
        }
      }
    }
    for (int i = 0; i < 100; i++) {
      space.put(new int[] {i}); // given up as garbage
    }
    Deadline.awaitCollecting(
        "only what is bound is left",
        () -> server.stats().get("groups") <= server.stats().get("keys") + 1);
    Deadline.await("no file is left of them", () -> files().size() <= 12);
    assertThat(descriptors() - descriptors).isLessThan(20);
    assertThat(Thread.activeCount() - threads).isLessThan(10);
  }

  private static long descriptors() {
    String[] open = new File("/proc/self/fd").list();
    return open == null ? 0 : open.length;
  }

  @Test
  public void putReplaceAndReleaseDoNotDisturbEachOther() throws Exception {
    ExecutorService workers = Executors.newFixedThreadPool(4);
    long end = System.nanoTime() + 3_000_000_000L;
    List<Future<?>> all = new ArrayList<>();
    for (int worker = 0; worker < 4; worker++) {
      int seed = worker;
      all.add(workers.submit(() -> work(new Random(seed), end)));
    }
    for (Future<?> each : all) {
      each.get();
    }
    workers.shutdown();
  }

  private static Void work(Random random, long end) throws Exception {
    while (System.nanoTime() - end < 0) {
      String key = "stress-" + random.nextInt(3);
      int length = random.nextInt(3) * 40_000 + 1;
      int[] numbers = new int[length];
      Arrays.fill(numbers, length);
      try (Group<int[]> put = space.replace(key, numbers)) {
        assertThat(put.copy()).isEqualTo(numbers);
      }
      try (Group<int[]> got = space.get(key)) {
        int[] found = got.object();
        assertThat(found).containsOnly(found.length);
      } catch (GroupLostException e) {
        continue; // replaced between the question and the answer
      }
    }
    return null;
  }

  @Test
  public void streamsCarryAddresses() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<ArrayList<Object>> roots = List.of(Graphs.random(1, 9_000), Graphs.random(2, 5));
    space.put("something small, so that there is a pack").close();
    List<Path> others = files();
    try (ObjectOutputStream out =
        new ExchangeObjectOutputStream(bytes, space, Lifetime.UNTIL_READ)) {
      out.writeInt(roots.size());
      for (Object each : roots) {
        out.writeObject(each);
      }
      out.writeObject(null);
      out.writeUTF("end");
    }
    assertThat(bytes.size()).isLessThan(100);
    List<Path> made = new ArrayList<>(files());
    made.removeAll(others);
    made.removeIf(file -> file.toString().endsWith(".pack"));
    assertThat(made).as("the large one's file").hasSize(1);
    try (ObjectInputStream in = input(bytes)) {
      assertThat(in.readInt()).isEqualTo(2);
      assertThat(sum(in.readObject())).isEqualTo(sum(roots.get(0)));
      assertThat(sum(in.readObject())).isEqualTo(sum(roots.get(1)));
      assertThat(in.readObject()).isNull();
      assertThat(in.readUTF()).isEqualTo("end");
    }
    Deadline.await("the first one's file has gone", () -> Files.notExists(made.get(0)));
    try (ObjectInputStream in = input(bytes)) {
      in.readInt();
      assertThatThrownBy(in::readObject).isInstanceOf(GroupLostException.class);
    }
  }

  private static ObjectInputStream input(ByteArrayOutputStream from) throws IOException {
    return new ExchangeObjectInputStream(new ByteArrayInputStream(from.toByteArray()), space);
  }

  @Test
  public void storedGroupsLieInTheStore() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ExchangeObjectOutputStream(bytes, space, Lifetime.STORED)) {
      out.writeObject("kept");
    }
    for (int i = 0; i < 3; i++) {
      try (ObjectInputStream in = input(bytes)) {
        assertThat(in.readObject()).isEqualTo("kept");
      }
    }
    try (Stream<Path> all = Files.walk(FOLDER.getRoot().toPath().resolve("store"))) {
      assertThat(all.filter(Files::isRegularFile)).hasSize(1);
    }
  }

  @Test
  public void directoriesOfOthersAreRefused() throws Exception {
    Path way = FOLDER.newFolder("way").toPath().resolve("karmi-own");
    Files.createDirectory(
        way, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
    assertThatThrownBy(() -> OwnDirectory.makeOrCheck(way)).hasMessageContaining("rwxr-x---");
    Path link = way.resolveSibling("karmi-link");
    Files.createSymbolicLink(link, FOLDER.newFolder("target").toPath());
    assertThatThrownBy(() -> OwnDirectory.makeOrCheck(link)).hasMessageContaining("something else");
  }

  /** Mutated files are refused by their check sum, and shortened ones; the JVM goes on. */
  @Test
  public void hostileFilesAreRefused() throws Exception {
    try (Group<Object> group = space.put((Object) Graphs.random(8, 3_000))) {
      Path file = FOLDER.getRoot().toPath().resolve("files");
      Path found =
          files().stream()
              .filter(each -> each.endsWith(group.address().toString()))
              .findAny()
              .orElseThrow();
      assertThat(found).startsWith(file);
      byte[] good = Files.readAllBytes(found);
      Random random = new Random(1);
      for (int i = 0; i < 300; i++) {
        byte[] bad = good.clone();
        int changes = 1 + random.nextInt(3);
        for (int j = 0; j < changes; j++) {
          bad[random.nextInt(i % 2 == 0 ? 200 : bad.length)] ^= (byte) (1 + random.nextInt(255));
        }
        if (i % 5 == 0) {
          bad = Arrays.copyOf(bad, random.nextInt(bad.length));
        }
        if (Arrays.equals(bad, good)) {
          continue;
        }
        replace(found, bad);
        assertThatThrownBy(group::copy).isInstanceOfAny(IOException.class, RuntimeException.class);
      }
      replace(found, good);
      assertThat(sum(group.copy())).isEqualTo(sum(Graphs.random(8, 3_000)));
    }
  }

  private static void replace(Path file, byte... bytes) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    try (RandomAccessFile to = new RandomAccessFile(file.toFile(), "rw")) {
      to.write(bytes);
      to.setLength(bytes.length);
    }
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
  }

  @Test
  public void beanShowsCountersOnceJmxIsUsed() throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName names = new ObjectName("io.karmi:type=ExchangeSpace,*");
    Deadline.await("the bean is there", () -> beans.queryNames(names, null).size() == 1);
    ObjectName name = beans.queryNames(names, null).iterator().next();
    assertThat(beans.getAttribute(name, "Url")).isEqualTo(url);
    assertThat(JMX.newMXBeanProxy(beans, name, ExchangeMXBean.class).getCounters())
        .containsKeys("groupsHeld", "directoryCalls", "bytesFetched")
        .containsOnlyKeys(space.counters().keySet());
    Deadline.await("a group more is counted", SpaceTest::isOneMoreCounted);
  }

  /** Unless one that another test has dropped is let go at this moment. */
  private static boolean isOneMoreCounted() throws IOException {
    long held = space.counters().get("groupsHeld");
    try (Group<String> group = space.put("counted")) {
      assertThat(group.object()).isEqualTo("counted");
      return space.counters().get("groupsHeld") == held + 1;
    }
  }

  @Test
  public void flightRecorderSeesGroups() throws Exception {
    Path file = FOLDER.getRoot().toPath().resolve("groups.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("io.karmi.Group");
      recording.start();
      try (Group<int[]> group = space.put(new int[50_000])) {
        group.object();
        recording.stop();
        recording.dump(file);
        assertThat(RecordingFile.readAllEvents(file))
            .filteredOn(event -> event.getEventType().getName().equals("io.karmi.Group"))
            .filteredOn(event -> event.getString("group").equals(group.address().toString()))
            .extracting(event -> event.getString("action"))
            .containsExactly("put", "read");
      }
    }
  }

  @Test
  public void emptyAndSharedRootsAreGroups() throws Exception {
    try (Group<Object> none = space.put((Object) null);
        Group<List<Object>> empty = space.put(Collections.emptyList())) {
      assertThat(none.object()).isNull();
      assertThat(none.object()).isNull();
      assertThat(empty.object()).isEmpty();
    }
  }
}
