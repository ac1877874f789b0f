package io.karmi.uds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What other users of the host can do with sockets: nothing. */
public class SocketDirectoryTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder(Path.of("/tmp").toFile());

  private Path inFolder(String name) {
    return folder.getRoot().toPath().resolve(name);
  }

  private static SocketDirectory in(Path... candidates) {
    return new SocketDirectory(List.of(candidates));
  }

  @Test
  public void userNamesBecomeFileNames() {
    for (String user :
        List.of("", "ann", "Ann-Marie_2.x", "a/b\\c d", "\u00e9\ud83d\ude00z", "\ud83d")) {
      assertThat(SocketDirectory.fileName(user)).isEqualTo(user.replaceAll("[^A-Za-z0-9._-]", "_"));
    }
  }

  /** Stands for a name that the encoding of the system's locale lacks characters of. */
  private static final String NOT_A_PATH = "/tmp/\0";

  @Test
  public void withoutDirectoryForTemporaryFilesThereIsNoneForSockets() {
    String property = "java.io.tmpdir";
    String before = System.getProperty(property);
    try {
      System.clearProperty(property);
      assertThat(SocketDirectory.configured()).as("without the property").isNotNull();
      System.setProperty(property, NOT_A_PATH);
      assertThat(SocketDirectory.configured()).as("with a name that is no path").isNotNull();
    } finally {
      System.setProperty(property, before);
    }
  }

  @Test
  public void nameOfSocketIs32DigitsAndItsEnding() {
    String digits = "0123456789abcdef".repeat(2);
    assertThat(SocketDirectory.isName(digits + ".sock")).isTrue();
    for (String other :
        List.of(
            "",
            ".sock",
            digits,
            digits + "0.sock",
            digits.substring(1) + ".sock",
            digits.toUpperCase(java.util.Locale.ROOT) + ".sock",
            "../" + digits.substring(3) + ".sock",
            digits.replace('f', 'g') + ".sock",
            digits + ",sock",
            digits + ".sock\n")) {
      assertThat(SocketDirectory.isName(other)).as(other).isFalse();
    }
  }

  @Test
  public void onlyItsUserMayEnterTheDirectoryThatIsMade() throws Exception {
    Path socket = in(inFolder("made")).newSocket();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())))
        .isEqualTo("rwx------");
  }

  @Test
  public void directoryThatOthersCanEnterIsNotUsed() throws Exception {
    Path open = Files.createDirectory(inFolder("open"));
    for (String mode : List.of("rwxr-xr-x", "rwx--x---", "rwx-----x")) {
      Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));
      assertThatThrownBy(() -> in(open).newSocket())
          .isInstanceOf(IOException.class)
          .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("rwx------", mode));
    }
  }

  @Test
  public void socketsInADirectoryThatOthersCanEnterAreNotFound() throws Exception {
    Path directory = inFolder("later-open");
    SocketDirectory sockets = in(directory);
    Path socket = Files.createFile(sockets.newSocket());
    String name = socket.getFileName().toString();
    assertThat(sockets.find(name)).isEqualTo(socket);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(sockets.find(name)).isNull();
  }

  @Test
  public void linkToADirectoryIsNotUsed() throws Exception {
    Path target = in(inFolder("target")).newSocket().getParent();
    Path link = Files.createSymbolicLink(inFolder("link"), target);
    assertThatThrownBy(() -> in(link).newSocket()).isInstanceOf(IOException.class);
  }

  @Test
  public void nextDirectoryIsUsedWhereTheFirstIsNotSafe() throws Exception {
    Path open = Files.createDirectory(inFolder("first"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path second = inFolder("second");
    assertThat(in(open, second).newSocket().getParent()).isEqualTo(second);
  }

  @Test
  public void namesThatLeadElsewhereAreNotLookedFor() throws Exception {
    SocketDirectory sockets = in(inFolder("names"));
    Path socket = Files.createFile(sockets.newSocket());
    String name = socket.getFileName().toString();
    for (String forged : List.of("../names/" + name, "/" + name, socket.toString(), "", ".sock")) {
      assertThat(sockets.find(forged)).as(forged).isNull();
    }
    assertThat(name).as("128 random bits").matches("[0-9a-f]{32}\\.sock");
  }

  @Test
  public void withTlsNothingIsReachedOverLocalSockets() {
    String before = System.getProperty("karmi.tls");
    System.setProperty("karmi.tls", "node.tls");
    try {
      assertThatThrownBy(() -> new UdsProvider().open(null))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("karmi.tls=node.tls");
    } finally {
      if (before == null) {
        System.clearProperty("karmi.tls");
      } else {
        System.setProperty("karmi.tls", before);
      }
    }
  }
}
