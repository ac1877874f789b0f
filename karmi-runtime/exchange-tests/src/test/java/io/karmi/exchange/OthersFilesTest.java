package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Files and directories where those of a space are to be, which no member has made: of another user
 * (where this is root), with another mode, links, pipes.
 */
public class OthersFilesTest {
  private static final int OBJECTS = 3_000;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Cluster cluster;
  private Jvm owner;
  private GroupAddress good;
  private Path files;

  @Before
  public void start() throws Exception {
    cluster = new Cluster(folder.getRoot().toPath());
    owner = cluster.member("a");
    good = GroupAddress.parse(owner.ask("bind key 1 " + OBJECTS, "ok "));
    try (Stream<Path> all = Files.walk(folder.getRoot().toPath().resolve("a"))) {
      files =
          all.filter(each -> each.endsWith(good.toString())).findAny().orElseThrow().getParent();
    }
  }

  @After
  public void end() {
    cluster.close();
  }

  /** Makes something at a path. */
  @FunctionalInterface
  private interface Making {
    void make(Path path) throws Exception;
  }

  /**
   * Gives a path to another user.
   *
   * @return false if this user may not do that
   */
  private static boolean giveAway(Path path) throws IOException {
    try {
      Files.setOwner(
          path,
          path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
      return true;
    } catch (FileSystemException e) {
      return false;
    }
  }

  private static Path mode(Path path, String mode) throws IOException {
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static void makePipe(Path path) throws Exception {
    try {
      Process made = new ProcessBuilder("mkfifo", "-m", "400", path.toString()).start();
      Assume.assumeTrue(made.waitFor(60, TimeUnit.SECONDS) && made.exitValue() == 0);
    } catch (IOException e) {
      Assume.assumeNoException("there is no mkfifo", e);
    }
  }

  private static String sum() {
    return Graphs.sum(1, OBJECTS);
  }

  /** A host's directory, or its store, is its user's alone, or the space is not joined. */
  private void assertNotJoined(String as, Path way, Making making) throws Exception {
    Files.createDirectories(way.getParent());
    making.make(way);
    Path dir = folder.getRoot().toPath().resolve("b");
    try (Jvm member =
        Jvm.start(
            "-Dkarmi.exchange.dir=" + dir,
            "-Dkarmi.exchange.store=" + folder.getRoot().toPath().resolve("store-b"),
            MemberMain.class.getName(),
            cluster.url())) {
      assertThat(member.ended()).as(as).isTrue();
      assertThat(member.lines())
          .as(as)
          .anyMatch(
              line ->
                  line.contains("IOException")
                      && line.contains(way.toString())
                      && line.contains("is not used: it must be a directory (no link) of user"));
    }
    Files.deleteIfExists(way);
    assertThat(cluster.files("b")).as(as).isEmpty();
  }

  @Test
  public void directoriesThatAreNotTheUsersAloneAreNotUsed() throws Exception {
    Path root = folder.getRoot().toPath();
    Path target = mode(folder.newFolder("target").toPath(), "rwx------");
    String space = files.getFileName().toString();
    String id = space.substring(space.lastIndexOf('-') + 1);
    for (Path way :
        List.of(root.resolve("b").resolve(space), root.resolve("store-b").resolve(id))) {
      assertNotJoined("open to all", way, path -> mode(Files.createDirectory(path), "rwxrwxrwx"));
      assertNotJoined("a link", way, path -> Files.createSymbolicLink(path, target));
      assertNotJoined("a file", way, path -> mode(Files.createFile(path), "rwx------"));
      if (giveAway(folder.newFile().toPath())) {
        assertNotJoined(
            "another user's",
            way,
            path -> giveAway(mode(Files.createDirectory(path), "rwx------")));
      }
    }
    assertThat(target).isEmptyDirectory();
  }

  @Test
  public void groupsAreReadOnlyOfFilesThatAMemberHasWritten() throws Exception {
    Jvm reader = cluster.member("a");
    long sequence = good.sequence();
    Path file = files.resolve(good.toString());
    List<Making> makings =
        new ArrayList<>(
            List.of(
                path -> Files.createLink(path, file), // has the head of another group
                path -> Files.createSymbolicLink(path, file),
                path -> mode(Files.copy(file, path), "rw-------"),
                path -> mode(Files.copy(file, path), "r--r-----"),
                OthersFilesTest::makePipe));
    if (giveAway(folder.newFile().toPath())) {
      makings.add(path -> giveAway(mode(Files.copy(file, path), "r--------")));
    }
    for (Making each : makings) {
      GroupAddress other = new GroupAddress(good.member(), ++sequence, good.generation());
      Path way = files.resolve(other.toString());
      each.make(way);
      assertThat(reader.ask("open " + other, "failed "))
          .startsWith("IOException")
          .contains(way + " is not read");
      Files.delete(way);
    }
    assertThat(reader.ask("open " + good, "ok ")).isEqualTo(sum());
  }

  /** What lies there under the name of a dead member's pack, or of a fetch, is removed unread. */
  @Test
  public void whatNoMemberHasMadeIsNeitherReadNorWrittenTo() throws Exception {
    Path outside = Files.writeString(folder.newFile("outside").toPath(), "kept");
    Jvm first = cluster.member("b");
    Path there;
    try (Stream<Path> all = Files.list(folder.getRoot().toPath().resolve("b"))) {
      there = all.findAny().orElseThrow();
    }
    makePipe(there.resolve("77-4000000001000000-1.pack"));
    Files.createSymbolicLink(there.resolve("78-4000000001000000-1.pack"), outside);
    Files.createSymbolicLink(there.resolve(".fetch-" + good), outside);
    Jvm second = cluster.member("b"); // which looks for what others have left
    assertThat(cluster.files("b")).noneMatch(name -> name.endsWith(".pack"));
    assertThat(second.ask("get key", "ok ")).isEqualTo(sum());
    assertThat(first.ask("get key", "ok ")).isEqualTo(sum());
    assertThat(outside).hasContent("kept");
    Path fetched = there.resolve(good.toString());
    assertThat(Files.isRegularFile(fetched, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }

  /** No group is lost but those that were in it. */
  @Test
  public void groupsArePutElsewhereWhereMembersReadAPackNoMore() throws Exception {
    Jvm reader = cluster.member("a");
    List<Making> makings =
        List.of(
            path -> mode(path, "rw-r--r--"),
            path -> Files.move(path, path.resolveSibling("elsewhere")),
            path -> Files.createDirectory(taken(path)),
            path -> Files.createSymbolicLink(taken(path), path.resolveSibling("elsewhere")));
    for (Making each : makings) {
      each.make(files.resolve(Pack.name(GroupAddress.parse(owner.ask("put 2 1", "ok ")))));
      String next = owner.ask("put 3 1", "ok ");
      assertThat(reader.ask("open " + next, "ok ")).isEqualTo(Graphs.sum(3, 1));
    }
  }

  /** A path whose file is elsewhere now. */
  private static Path taken(Path path) throws IOException {
    return Files.move(path, path.resolveSibling("elsewhere-" + path.getFileName()))
        .getParent()
        .resolve(path.getFileName());
  }
}
