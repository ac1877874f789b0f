package io.karmi.uds;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.Callee;
import io.karmi.contract.Nodes;
import io.karmi.contract.PeerMain;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The files of sockets: which processes find them, and what is left of them. */
public class SocketFilesTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Path directory(String name, String permissions) throws IOException {
    Path made = folder.getRoot().toPath().resolve(name);
    Files.createDirectory(made);
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(permissions));
    return made;
  }

  private static UdsTechnology technology(Callee node, Path directory) {
    return Local.open(node, new SocketDirectory(List.of(directory)));
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.collect(Collectors.toList());
    }
  }

  @Test
  public void directoryIsMadeForItsOwnerAlone() throws Exception {
    Path directory = folder.getRoot().toPath().resolve("made");
    try (Technology server = technology(Nodes.successor(), directory)) {
      server.listen(0);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
          .isEqualTo("rwx------");
      assertThat(files(directory)).hasSize(1);
    }
    assertThat(files(directory)).as("after the end").isEmpty();
  }

  @Test
  public void nodeThatDoesNotSeeTheSocketDoesNotReachIt() throws Exception {
    Path here = directory("here", "rwx------");
    try (UdsTechnology server = technology(Nodes.successor(), here);
        UdsTechnology beside = technology(Nodes.caller(), here);
        UdsTechnology elsewhere = technology(Nodes.caller(), directory("there", "rwx------"))) {
      TechnologyId way = server.listen(0);
      assertThat(beside.reaches(way)).isTrue();
      assertThat(elsewhere.reaches(way)).isFalse();
    }
  }

  @Test
  public void addressLeadsToNoSocketOutsideTheDirectory() throws Exception {
    Path here = directory("here", "rwx------");
    Path outside = directory("outside", "rwx------");
    try (UdsTechnology server = technology(Nodes.successor(), outside);
        UdsTechnology client = technology(Nodes.caller(), here)) {
      String name = server.listen(0).address();
      for (String forged :
          List.of(
              "../outside/" + name,
              outside.resolve(name).toString(),
              "/var/run/docker.sock",
              "",
              name + "/..",
              name.toUpperCase(java.util.Locale.ROOT))) {
        assertThat(client.reaches(new TechnologyId("uds", forged))).as(forged).isFalse();
      }
    }
  }

  @Test
  public void socketsOfKilledProcessesAreRemovedByTheNext() throws Exception {
    Path here = directory("here", "rwx------");
    Path left;
    try (Jvm peer = PeerMain.start(UdsProvider.class, "-Dkarmi.uds.directory=" + here)) {
      ObjectId object = PeerMain.object(peer);
      left = here.resolve(object.technology(0).address());
      assertThat(left).exists();
      peer.kill();
    }
    assertThat(left).as("what was killed removes nothing").exists();
    Files.setLastModifiedTime(
        left, FileTime.fromMillis(System.currentTimeMillis() - 24 * 3_600_000));
    try (UdsTechnology living = technology(Nodes.successor(), here)) {
      Path own = here.resolve(living.listen(0).address());
      Files.setLastModifiedTime(
          own, FileTime.fromMillis(System.currentTimeMillis() - 24 * 3_600_000));
      Deadline.await("the leftover is gone", () -> !Files.exists(left));
      Callee node = Nodes.successor();
      try (UdsTechnology next = technology(node, here)) {
        TechnologyId way = next.listen(0);
        assertThat(Nodes.next(living, Nodes.object(node, way), 1)).isEqualTo(2);
        assertThat(own).as("of one that lives").exists();
      }
    }
  }

  @Test
  public void socketIsRemovedWhenTheJvmEnds() throws Exception {
    Path here = directory("here", "rwx------");
    try (Jvm peer = PeerMain.start(UdsProvider.class, "-Dkarmi.uds.directory=" + here)) {
      PeerMain.object(peer);
      assertThat(files(here)).hasSize(1);
      peer.signal("TERM");
      assertThat(peer.ended()).isTrue();
    }
    assertThat(files(here)).isEmpty();
  }
}
