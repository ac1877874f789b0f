package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.record.GroupHeader;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Files of a host that no member has written so, which a reader of 64 MB opens. */
public class HostileFilesTest {
  private static final int DENSE_BYTES = 96 << 20;
  private static final int MUTATIONS = 300;

  /** More than a JVM of 64 MB keeps. */
  private static final int MANY_LEVELS = 2_000;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Cluster cluster;
  private Jvm reader;
  private GroupAddress good;
  private Path files;
  private byte[] bytes;
  private GroupHeader header;
  private int number;

  /** A file that is to be made at a path. */
  @FunctionalInterface
  private interface Making {
    void make(Path file) throws IOException;
  }

  @Before
  public void start() throws Exception {
    cluster = new Cluster(folder.getRoot().toPath());
    Jvm owner = cluster.member("a");
    good = GroupAddress.parse(owner.ask("put 1 3000", "ok "));
    try (Stream<Path> all = Files.walk(folder.getRoot().toPath().resolve("a"))) {
      Path file = all.filter(each -> each.endsWith(good.toString())).findAny().orElseThrow();
      files = file.getParent();
      bytes = Files.readAllBytes(file);
      try (FileChannel from = FileChannel.open(file)) {
        header = GroupHeader.read(from);
      }
    }
    reader = cluster.member(List.of("-Xmx64m"), "a");
  }

  @After
  public void end() {
    cluster.close();
  }

  /** Another address, which is in none of the headers yet. */
  private GroupAddress next() {
    return new GroupAddress(good.member(), good.sequence() + ++number, good.generation());
  }

  private void assertRefused(String as, Making making) throws Exception {
    GroupAddress group = next();
    Path file = files.resolve(group.toString());
    making.make(file);
    assertThat(reader.ask("open " + group, "failed ")).as(as).contains(group.toString());
    Files.deleteIfExists(file);
  }

  private static void write(Path file, byte... content) throws IOException {
    Files.write(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
  }

  /** A record with a right check sum. */
  private byte[] record(GroupAddress group, byte... body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    GroupHeader sealed = new GroupHeader(0, header.space(), group, body.length, 0, 0).sealed(crc);
    return ByteBuffer.allocate(GroupHeader.BYTES + body.length)
        .put(sealed.bytes())
        .put(body)
        .array();
  }

  private byte[] body() {
    return Arrays.copyOfRange(bytes, GroupHeader.BYTES, bytes.length);
  }

  private static GroupAddress named(Path file) {
    return GroupAddress.parse(file.getFileName().toString());
  }

  private byte[] with(GroupAddress group, long length, int dependencies) {
    byte[] lies =
        new GroupHeader(0, header.space(), group, length, dependencies, header.crc()).bytes();
    byte[] all = bytes.clone();
    System.arraycopy(lies, 0, all, 0, lies.length);
    return all;
  }

  @Test
  public void filesThatNoMemberHasWrittenAreRefusedByALine() throws Exception {
    assertRefused("of nothing", file -> write(file));
    for (int length : new int[] {1, GroupHeader.BYTES - 1, GroupHeader.BYTES, bytes.length - 1}) {
      assertRefused(
          "cut off", file -> write(file, Arrays.copyOf(record(named(file), body()), length)));
    }
    assertRefused(
        "lengthened",
        file -> write(file, Arrays.copyOf(record(named(file), body()), bytes.length + 1)));
    assertRefused("another group's", file -> write(file, bytes));
    assertRefused("a long body", file -> write(file, with(named(file), 1L << 61, 0)));
    assertRefused("many others", file -> write(file, with(named(file), header.length(), 0xffff)));
    assertRefused("a negative length", file -> write(file, with(named(file), -1, 0)));
    assertRefused(
        "readable by others",
        file -> {
          write(file, record(named(file), body()));
          Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        });
    assertRefused(
        "a link",
        file -> {
          Path target = folder.getRoot().toPath().resolve("target");
          write(target, record(named(file), body()));
          Files.createSymbolicLink(file, target);
        });
    assertRefused("a directory", Files::createDirectory);
    assertRefused(
        "a gigabyte of nothing",
        file -> {
          write(file);
          Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
          try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.write(with(named(file), (1L << 30) - GroupHeader.BYTES, 0));
            sparse.setLength(1L << 30);
          }
          Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        });
    assertThat(reader.ask("open " + good, "ok ")).isEqualTo(Graphs.sum(1, 3000));
  }

  /** Such as copies that a program for backups has made. */
  @Test
  public void filesWithOtherNamesKeepNoMemberOut() throws Exception {
    Path store = folder.getRoot().toPath().resolve("store-a");
    Path stored = store.resolve(Long.toHexString(header.space()));
    Files.createDirectories(
        stored, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    for (Path each : List.of(stored, files)) {
      for (String name : List.of("1-2-3.bak", "a-b-z", ".---", ".tmp-1-2-z", ".fetch-1-2-3.bak")) {
        write(each.resolve(name), bytes);
      }
    }
    Jvm other = cluster.member("a");
    assertThat(other.ask("open " + good, "ok ")).isEqualTo(Graphs.sum(1, 3000));
    assertThat(other.lines()).noneMatch(line -> line.contains("Exception"));
    assertThat(stored.resolve("1-2-3.bak")).hasBinaryContent(bytes);
  }

  @Test
  public void aPackOfWhichALengthLeadsBeyondAllNumbersKeepsNoMemberOut() throws Exception {
    GroupAddress first = new GroupAddress(0x77, 1L << 62, good.generation());
    GroupHeader small = new GroupHeader(0, header.space(), first, 2 << 20, 0, 0);
    long at = small.recordBytes();
    GroupAddress second =
        new GroupAddress(first.member(), first.sequence() + at, first.generation());
    long longest = Long.MAX_VALUE - (1 << 21);
    byte[] pack = Arrays.copyOf(small.bytes(), (int) at + GroupHeader.BYTES);
    System.arraycopy(
        new GroupHeader(0, header.space(), second, longest, 0xffff, 0).bytes(),
        0,
        pack,
        (int) at,
        GroupHeader.BYTES);
    write(files.resolve(first + ".pack"), pack);
    Jvm other = cluster.member("a");
    assertThat(other.ask("open " + good, "ok ")).isEqualTo(Graphs.sum(1, 3000));
  }

  /** More than a member has memory for, were it to remember them all. */
  @Test
  public void aPackThatIsLongerThanPacksAreIsLookedThroughNoFurther() throws Exception {
    GroupAddress first = new GroupAddress(0x77, 1L << 62, good.generation());
    Path pack = files.resolve(first + ".pack");
    byte[] all = new byte[DENSE_BYTES - DENSE_BYTES % (GroupHeader.BYTES + 1)];
    for (int at = 0; at < all.length; at += GroupHeader.BYTES + 1) {
      GroupAddress each =
          new GroupAddress(first.member(), first.sequence() + at, first.generation());
      GroupHeader smallest = new GroupHeader(0, header.space(), each, 1, 0, 0);
      System.arraycopy(smallest.bytes(), 0, all, at, GroupHeader.BYTES);
    }
    write(pack, all);
    Jvm other = cluster.member("a");
    Deadline.await("it is removed", () -> !Files.exists(pack));
    assertThat(other.ask("open " + good, "ok ")).isEqualTo(Graphs.sum(1, 3000));
    assertThat(other.lines()).noneMatch(line -> line.contains("Error"));
  }

  @Test
  public void levelsOfLoggingThatTheReaderWouldKeepForEverAreRefused() throws Exception {
    Level[] levels = new Level[MANY_LEVELS];
    Arrays.setAll(levels, i -> Level.parse(String.valueOf(1_000_000 + i)));
    OutputBuffer body = new OutputBuffer(16);
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(body)) {
      out.writeObject(levels);
    }
    GroupAddress group = next();
    byte[] content = Arrays.copyOf(body.bytes, body.position);
    write(files.resolve(group.toString()), record(group, content));
    assertThat(reader.ask("attempt " + group, "ok ")).isEqualTo("refused");
  }

  /** Those of a file whose check sum is right are those of any message. */
  @Test
  public void bytesThatAreChangedUnderARightCheckSumEndNothingElse() throws Exception {
    Random random = new Random(5);
    for (int i = 0; i < MUTATIONS; i++) {
      GroupAddress group = next();
      byte[] changed = body();
      for (int j = random.nextInt(3); j >= 0; j--) {
        int most = i % 2 == 0 ? 300 : changed.length;
        changed[random.nextInt(most)] = (byte) random.nextInt();
      }
      Path file = files.resolve(group.toString());
      write(file, record(group, changed));
      assertThat(reader.ask("attempt " + group, "ok ")).as("mutation " + i).isNotEmpty();
      Files.deleteIfExists(file); // the member may have removed it: it held it last
    }
    assertThat(reader.lines()).noneMatch(line -> line.contains("OutOfMemoryError"));
    assertThat(reader.ask("open " + good, "ok ")).isEqualTo(Graphs.sum(1, 3000));
  }
}
