package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.guard.OwnDirectory;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Processes that enter the directory of a space while the last one in it removes it. */
public class HostDirectoryTest {
  private static final int SPACE = 7;
  private static final int PROCESSES = 3;
  private static final int ROUNDS = 700;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** Enters, has a file there, and leaves, as often as its argument says. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
      System.out.println("ready");
      System.in.read();
      for (int i = Integer.parseInt(arguments[0]); i > 0; i--) {
        try (HostDirectory entered = HostDirectory.open(SPACE)) {
          Path file = Files.createFile(entered.newFile(1, i, false));
          Thread.yield();
          Files.delete(file);
          if (Files.notExists(entered.path.resolve(OwnDirectory.LOCK))) {
            throw new IOException("the lock is gone");
          }
        }
      }
      System.out.println("done");
    }
  }

  private Jvm start(int rounds) throws IOException {
    return start(folder.getRoot().toPath(), Main.class, Integer.toString(rounds));
  }

  private Jvm start(Path directory, Class<?> main, String argument) throws IOException {
    return Jvm.start(
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Dkarmi.exchange.dir=" + directory,
        "-Dkarmi.exchange.store=" + folder.getRoot().toPath().resolve("store"),
        main.getName(),
        argument);
  }

  /** Enters, and looks for what others have left in a folder that its argument names. */
  static final class Looking {
    private Looking() {}

    public static void main(String[] arguments) throws IOException {
      try (HostDirectory entered = HostDirectory.open(SPACE)) {
        Files.setLastModifiedTime(entered.path, FileTime.fromMillis(0)); // as if it were at rest
        OwnDirectory.removeLeftovers(Path.of(arguments[0]), OwnDirectory.user());
        System.out.println("entered");
        System.in.read();
        System.out.println(
            Files.exists(entered.path.resolve(OwnDirectory.LOCK)) ? "there" : "gone");
      }
    }
  }

  /** A look at its own lock file would give its locks up. */
  @Test
  public void directoryThatWasFoundByALinkIsKnownToBeInUse() throws Exception {
    Path real = folder.newFolder("real").toPath();
    Path link = Files.createSymbolicLink(folder.getRoot().toPath().resolve("link"), real);
    try (Jvm looking = start(link, Looking.class, real.toString());
        Jvm other = start(real, Main.class, "1")) {
      looking.awaitLine("entered");
      other.ask("go", "done");
      assertThat(other.ended()).isTrue();
      looking.ask("go", "there");
    }
  }

  @Test
  public void whoEntersWhileTheLastOneLeavesKeepsItsFiles() throws Exception {
    List<Jvm> all = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        all.add(start(ROUNDS));
      }
      for (Jvm each : all) {
        each.awaitLine("ready");
      }
      for (Jvm each : all) {
        each.tell("go");
      }
      for (Jvm each : all) {
        assertThat(each.ended()).isTrue();
        assertThat(each.lines()).containsExactly("ready", "done");
      }
    } finally {
      all.forEach(Jvm::close);
    }
    assertThat(folder.getRoot()).isEmptyDirectory();
  }

  @Test
  public void directoryWhoseRemovalWasCutShortIsEntered() throws Exception {
    String name = "karmi-x-" + OwnDirectory.user().getName().replaceAll("\\W", "_") + "-" + SPACE;
    Path left = folder.getRoot().toPath().resolve(name);
    Files.createDirectory(left, OwnDirectory.permissions());
    Files.writeString(left.resolve(OwnDirectory.LOCK), "8 bytes r"); // killed behind the mark
    Files.createFile(left.resolve("1-2-3"));
    try (Jvm entering = start(1)) {
      entering.ask("go", "done");
      assertThat(entering.ended()).isTrue();
    }
    assertThat(folder.getRoot()).isEmptyDirectory();
  }
}
