package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeNoException;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class PrivateDirectoryTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void onlyItsUserMayEnter() throws Exception {
    Path file = PrivateDirectory.ofThisProcess().newPath();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  public void directoryForTemporaryFilesMayBeMissing() throws Exception {
    assumeTrue(Files.isDirectory(Path.of("/dev/shm")));
    String property = "java.io.tmpdir";
    String before = System.getProperty(property);
    try {
      System.clearProperty(property);
      PrivateDirectory.checkPossible();
      System.setProperty(property, "/tmp/\0");
      PrivateDirectory.checkPossible();
    } finally {
      System.setProperty(property, before);
    }
  }

  @Test
  public void pathsInPrivateDirectoriesOfTheSameUserAreAcceptedAndNoOthers() throws Exception {
    Path file = PrivateDirectory.ofThisProcess().newPath();
    assertThat(isOfOwnUser(file)).isTrue();
    assertThat(isOfOwnUser(Path.of("/var/run/docker.sock"))).isFalse();
    assertThat(isOfOwnUser(Path.of("relative"))).isFalse();
    assertThat(isOfOwnUser(Path.of(""))).isFalse();
    assertThat(isOfOwnUser(Path.of("/"))).isFalse();
    assertThat(isOfOwnUser(file.resolve("../../x"))).isFalse();
    Path open = folder.newFolder("karmi-open").toPath();
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(isOfOwnUser(open.resolve("uds-1"))).isFalse();
    Path link = folder.getRoot().toPath().resolve("karmi-link");
    Files.createSymbolicLink(link, file.getParent());
    assertThat(isOfOwnUser(link.resolve("uds-1"))).isFalse();
  }

  private boolean isOfOwnUser(Path file) throws IOException {
    return PrivateDirectory.isOfUser(Files.getOwner(folder.getRoot().toPath()), file);
  }

  @Test
  public void directoryOfAnotherUserIsRefusedAndNotSwept() throws Exception {
    Path base = folder.getRoot().toPath();
    Path foreign = directory(base, "karmi-foreign");
    try {
      Files.setOwner(
          foreign,
          foreign.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
    } catch (IOException e) {
      assumeNoException("only a superuser can give a directory away", e);
    }
    Files.setLastModifiedTime(foreign, FileTime.fromMillis(0));
    assertThat(isOfOwnUser(foreign.resolve("rings-1"))).isFalse();
    PrivateDirectory.makeIn(base);
    assertThat(foreign.resolve("rings-1")).exists();
  }

  @Test
  public void processOfAnotherUserCannotEnter() throws Exception {
    String directory = PrivateDirectory.ofThisProcess().newPath().getParent().toString();
    assumeTrue("setpriv as a superuser", listAsNobody("/dev/shm") == 0);
    assertThat(listAsNobody(directory)).isNotZero();
  }

  private static int listAsNobody(String directory) throws Exception {
    try {
      return new ProcessBuilder(
              "setpriv", "--reuid=nobody", "--clear-groups", "--inh-caps=-all", "ls", directory)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return -1; // there is no such command
    }
  }

  @Test
  public void noDirectoryIsMadeWhileTheJvmEndsAndTheCallerIsTold() throws Exception {
    Path base = folder.getRoot().toPath();
    Process ends =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                MakesAtEnd.class.getName(),
                base.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String told = new String(ends.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    ends.waitFor();
    assertThat(told).startsWith("java.io.IOException");
    try (Stream<Path> left = Files.list(base)) {
      assertThat(left).isEmpty();
    }
  }

  /** Makes a directory while the JVM deletes files at its end. */
  public static final class MakesAtEnd {
    private static final int FILES = 200_000;

    public static void main(String[] arguments) throws Exception {
      Path base = Path.of(arguments[0]);
      for (int i = 0; i < FILES; i++) {
        base.resolve("none" + i).toFile().deleteOnExit(); // these are the last, and take a while
      }
      PrivateDirectory.makeIn(base);
      Path first = Files.createFile(base.resolve("first"));
      first.toFile().deleteOnExit();
      Thread makes = new Thread(() -> makeWithout(first, base), "makes a directory");
      makes.setDaemon(true);
      makes.start();
      System.exit(0);
    }

    private static void makeWithout(Path file, Path base) {
      while (Files.exists(file)) {
        Thread.onSpinWait();
      }
      try {
        PrivateDirectory.makeIn(base);
      } catch (IOException | RuntimeException e) {
        System.out.println(e);
        System.out.flush();
      }
    }
  }

  @Test
  public void whatAKilledProcessHasLeftIsRemovedAndNothingElse() throws Exception {
    Path base = folder.getRoot().toPath();
    Path left = directory(base, "karmi-left");
    Path used = directory(base, "karmi-used");
    Path foreign = directory(base, "other-left");
    Path young = directory(base, "karmi-young");
    Path unfinished = directory(base, "karmi-unfinished");
    Files.delete(unfinished.resolve("rings-1"));
    Files.delete(unfinished.resolve("lock"));
    Path ended = directory(base, "karmi-ended");
    Files.delete(ended.resolve("lock")); // in order, and the file was made after that
    Path youngWithoutLock = directory(base, "karmi-young-unlocked");
    Files.delete(youngWithoutLock.resolve("lock"));
    for (Path old : new Path[] {left, used, foreign, unfinished, ended}) {
      Files.setLastModifiedTime(old, FileTime.fromMillis(0));
    }
    Process holder = holdLock(used.resolve("lock"));
    try {
      PrivateDirectory.makeIn(base);
      assertThat(left).doesNotExist();
      assertThat(unfinished).doesNotExist();
      assertThat(ended).doesNotExist();
      assertThat(youngWithoutLock.resolve("rings-1")).exists();
      assertThat(used).exists();
      assertThat(foreign).exists();
      assertThat(young).exists();
    } finally {
      holder.destroyForcibly().waitFor();
    }
  }

  private static Path directory(Path base, String name) throws Exception {
    Path made =
        Files.createDirectory(
            base.resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.createFile(made.resolve("lock"));
    Files.createFile(made.resolve("rings-1"));
    return made;
  }

  /** Another process that holds the lock of a file until it is killed. */
  private static Process holdLock(Path file) throws Exception {
    Process holder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                file.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(holder.getInputStream().read())
        .as("the other process holds the lock")
        .isEqualTo('L');
    return holder;
  }

  /** Holds a lock until it is killed. */
  public static final class Holder {
    private Holder() {}

    /** Prints an L when it holds the lock. */
    public static void main(String[] arguments) throws Exception {
      try (FileChannel file = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
        file.lock();
        System.out.print('L');
        System.out.flush();
        System.in.read();
      }
    }
  }
}
