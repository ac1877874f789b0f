package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.remote.MetadataServer;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.rmi.Naming;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Owners, readers and servers that are killed or stopped. */
public class FailuresTest {
  /** More than four pieces. */
  private static final int MANY_OBJECTS = 120_000;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Cluster cluster;

  @Before
  public void start() throws Exception {
    cluster = new Cluster(folder.getRoot().toPath());
  }

  @After
  public void end() {
    cluster.close();
  }

  private static String sum(long seed, int objects) {
    return Long.toString(Graphs.sum(Graphs.random(seed, objects)));
  }

  @Test
  public void groupsOfKilledOwnersComeFromOtherHolders() throws Exception {
    Jvm owner = cluster.member("a");
    Jvm holder = cluster.member("b", "whole", "1", "told"); // of the hold, and not yet of the file
    String address = owner.ask("bind key 1 300", "ok ");
    String alone = owner.ask("put 2 30000", "ok ");
    Jvm late = cluster.member("c");
    holder.ask("get key", "ok ");
    owner.kill();
    Deadline.await(
        "the owner is taken for dead",
        () -> late.ask("open " + alone, "failed ").startsWith("GroupLostException"));
    assertThat(late.ask("open " + address, "ok ")).isEqualTo(sum(1, 300));
    assertThat(late.ask("get key", "ok ")).isEqualTo(sum(1, 300));
    Jvm heir = cluster.member("a"); // nothing of the dead one is kept but what others know
    Deadline.await("its files are removed", () -> cluster.files("a").size() <= 1);
    assertThat(heir.ask("get key", "ok ")).isEqualTo(sum(1, 300));
  }

  @Test
  public void groupsOfAMemberThatHasGivenOneComeWithoutTheServer() throws Exception {
    Jvm owner = cluster.member("a");
    Jvm reader = cluster.member("b");
    String first = owner.ask("put 1 50", "ok ");
    String second = owner.ask("put 2 30000", "ok ");
    reader.ask("open " + first, "ok ");
    cluster.server.kill();
    assertThat(reader.ask("open " + second, "ok ")).isEqualTo(sum(2, 30_000));
  }

  @Test
  public void membersThatHaveGivenAGroupAndDiedAreNotNeededForTheNext() throws Exception {
    Jvm owner = cluster.member("a");
    Jvm holder = cluster.member("b");
    Jvm reader = cluster.member("c");
    String first = owner.ask("put 1 50", "ok ");
    String both = owner.ask("put 2 30000", "ok ");
    holder.ask("open " + both, "ok ");
    reader.ask("open " + first, "ok ");
    owner.kill();
    assertThat(reader.ask("open " + both, "ok ")).isEqualTo(sum(2, 30_000));
  }

  @Test
  public void fetchesOfKilledReadersAreContinued() throws Exception {
    Jvm owner = cluster.member("a");
    owner.ask("bind key 5 " + MANY_OBJECTS, "ok ");
    String expected = sum(5, MANY_OBJECTS);
    for (String step : new String[] {"begin 1", "piece 2", "whole 1", "end 1"}) {
      Jvm killed = cluster.member("b", step.split(" "));
      killed.tell("get key");
      assertThat(killed.ended()).as(step + killed.lines()).isTrue();
      if (step.startsWith("piece")) {
        assertThat(cluster.files("b")).singleElement().asString().startsWith(".fetch-");
      }
    }
    Jvm reader = cluster.member("b");
    assertThat(reader.ask("get key", "ok ")).isEqualTo(expected);
    assertThat(cluster.files("b")).hasSize(1).noneMatch(name -> name.startsWith("."));
  }

  /** Nothing of them has a name before it is whole, and the next reader leaves one file. */
  @Test
  public void fetchesOfOnePieceOfKilledReadersAreMadeAgain() throws Exception {
    Jvm owner = cluster.member("a");
    for (String step : new String[] {"begin 1", "piece 1", "whole 1", "end 1"}) {
      String address = owner.ask("put 5 300", "ok ");
      Jvm killed = cluster.member("b", step.split(" "));
      killed.tell("open " + address);
      assertThat(killed.ended()).as(step + killed.lines()).isTrue();
      boolean named = step.startsWith("end");
      assertThat(cluster.files("b").contains(address)).as(step).isEqualTo(named);
      Jvm reader = cluster.member("b");
      assertThat(reader.ask("open " + address, "ok ")).as(step).isEqualTo(sum(5, 300));
      assertThat(cluster.files("b")).as(step).containsExactly(address);
      owner.ask("close " + address, "ok ");
      reader.ask("close " + address, "ok ");
      Deadline.await("nothing is left after " + step, () -> cluster.files("b").isEmpty());
      reader.kill();
    }
  }

  @Test
  public void objectsOfAGroupThatHasComeInOnePieceAreMadeOfThatAndNotOfItsFile() throws Exception {
    Jvm owner = cluster.member("a");
    Jvm reader = cluster.member("b");
    Jvm neighbour = cluster.member("b");
    String address = owner.ask("put 1 300", "ok ");
    reader.ask("fetch " + address, "ok ");
    owner.kill();
    assertThat(neighbour.ask("open " + address, "ok ")).isEqualTo(sum(1, 300));
    try (Stream<Path> all = Files.walk(folder.getRoot().toPath().resolve("b"))) {
      Files.delete(all.filter(each -> each.endsWith(address)).findAny().orElseThrow());
    }
    assertThat(reader.ask("open " + address, "ok ")).isEqualTo(sum(1, 300));
  }

  @Test
  public void membersReportAgainToARestartedServer() throws Exception {
    Jvm owner = cluster.member("a");
    Jvm reader = cluster.member("b");
    String first = owner.ask("bind key 1 50", "ok ");
    owner.ask("replace key 2 50", "ok ");
    String unbound = owner.ask("put 3 50", "ok ");
    cluster.server.kill();
    assertThat(owner.ask("open " + first, "ok ")).isEqualTo(sum(1, 50)); // what is here goes on
    reader.tell("get key"); // waits for the server
    cluster.startServer();
    assertThat(reader.awaitLine("ok ")).isEqualTo(sum(2, 50));
    assertThat(reader.ask("open " + unbound, "ok ")).isEqualTo(sum(3, 50));
    String later = owner.ask("put 4 50", "ok ");
    assertThat(later).isNotEqualTo(first);
    assertThat(reader.ask("open " + later, "ok ")).isEqualTo(sum(4, 50));
  }

  @Test
  public void whatWasDroppedStaysDroppedWhenTheServerIsKilledAtOnce() throws Exception {
    Jvm owner = cluster.member("a");
    Jvm reader = cluster.member("b");
    owner.ask("bind key 1 50", "ok ");
    owner.ask("bind other 2 50", "ok ");
    assertThat(((MetadataServer) Naming.lookup(cluster.url())).drop("key")).isTrue();
    cluster.server.kill();
    cluster.startServer();
    assertThat(reader.ask("get other", "ok ")).isEqualTo(sum(2, 50));
    assertThat(reader.ask("get key", "failed ")).startsWith("NoSuchElement");
  }

  /** It binds again what it knows to be its own. */
  @Test
  public void whatWasDroppedWhileItsMemberStoodStillStaysDroppedAfterARestart() throws Exception {
    Assume.assumeTrue("signals are sent by kill", new File("/bin/kill").exists());
    Jvm owner = cluster.member("a");
    Jvm reader = cluster.member("b");
    owner.ask("bind key 1 50", "ok ");
    owner.ask("bind kept 2 50", "ok ");
    reader.ask("bind other 3 50", "ok ");
    owner.signal("STOP");
    try {
      assertThat(((MetadataServer) Naming.lookup(cluster.url())).drop("key")).isTrue();
      cluster.server.kill();
      cluster.startServer();
      reader.ask("get other", "ok ");
    } finally {
      owner.signal("CONT");
    }
    assertThat(owner.ask("get kept", "ok ")).isEqualTo(sum(2, 50)); // has told all before
    assertThat(reader.ask("get key", "failed ")).startsWith("NoSuchElement");
    assertThat(reader.ask("get kept", "ok ")).isEqualTo(sum(2, 50));
  }

  private List<String> stored() {
    File[] files = folder.getRoot().toPath().resolve("store-a").toFile().listFiles();
    return files == null || files.length == 0 ? List.of() : List.of(files[0].list());
  }

  private boolean isStored() throws Exception {
    MetadataServer server = (MetadataServer) Naming.lookup(cluster.url());
    return Stream.of(server.list(10)).anyMatch(each -> each.contains("stored"));
  }

  /** Its file stays for them. */
  @Test
  public void storedGroupThatIsDroppedWhileItIsHeldIsStoredNoMoreAfterAnyRestart()
      throws Exception {
    Jvm owner = cluster.member("a");
    Jvm holder = cluster.member("b");
    String address = owner.ask("store 1 300", "ok ");
    holder.ask("bind mine 2 50", "ok ");
    Deadline.await("it is told", this::isStored);
    assertThat(((MetadataServer) Naming.lookup(cluster.url())).drop(address)).isTrue();
    cluster.server.kill();
    cluster.startServer();
    owner.ask("bind key 3 50", "ok "); // has told all before
    assertThat(isStored()).as("told by who has stored it").isFalse();
    assertThat(holder.ask("open " + address, "ok ")).isEqualTo(sum(1, 300));
    owner.kill();
    Jvm heir = cluster.member("a");
    heir.ask("bind other 4 50", "ok ");
    assertThat(isStored()).as("told by the next member").isFalse();
    assertThat(heir.ask("open " + address, "ok ")).isEqualTo(sum(1, 300));
    cluster.server.kill();
    cluster.startServer();
    heir.ask("get other", "ok ");
    holder.ask("get mine", "ok ");
    assertThat(isStored()).as("told to the next server").isFalse();
    assertThat(stored()).singleElement().asString().contains(address);
    for (Jvm each : List.of(holder, heir)) {
      each.ask("close " + address, "ok ");
    }
    Deadline.await("the file is removed", () -> stored().isEmpty());
  }

  @Test
  public void whatOthersHoldOutlivesARestartOfTheServer() throws Exception {
    Jvm owner = cluster.member("a");
    Jvm reader = cluster.member("b");
    List<String> groups = List.of(owner.ask("put 1 50", "ok "), owner.ask("put 2 9000", "ok "));
    for (String each : groups) {
      reader.ask("came " + each, "ok "); // and is not read
    }
    reader.ask("bind mine 4 9000", "ok "); // reports that before
    for (String each : groups) {
      owner.ask("close " + each, "ok ");
    }
    owner.ask("bind key 3 50", "ok ");
    cluster.server.kill();
    cluster.startServer();
    owner.ask("get key", "ok ");
    assertThat(reader.ask("read " + groups.get(0), "ok ")).isEqualTo(sum(1, 50));
    assertThat(reader.ask("read " + groups.get(1), "ok ")).isEqualTo(sum(2, 9000));
    for (String each : groups) {
      reader.ask("close " + each, "ok ");
    }
    for (String each : List.of("a", "b")) { // has that of its key
      Deadline.await("the files are removed", () -> cluster.files(each).size() == 1);
    }
  }

  /** Of its end any member of the host is told, which can take nothing out of another's pack. */
  @Test
  public void packsOfAnEarlierNumberAreRemovedByWhoHasWrittenThem() throws Exception {
    Assume.assumeTrue("signals are sent by kill", new File("/bin/kill").exists());
    Jvm owner = cluster.member("a");
    Jvm neighbour = cluster.member("a");
    Jvm reader = cluster.member("b");
    String address = owner.ask("put 1 50", "ok ");
    reader.ask("came " + address, "ok ");
    reader.ask("bind mine 2 9000", "ok "); // reports that before
    owner.ask("close " + address, "ok ");
    owner.ask("bind first 3 9000", "ok ");
    cluster.server.kill();
    cluster.startServer();
    for (Jvm each : List.of(owner, neighbour, reader)) {
      each.ask("get first", "ok "); // knows the new server
    }
    owner.ask("replace second 4 9000", "ok ");
    owner.signal("STOP");
    try {
      reader.ask("close " + address, "ok ");
      MetadataServer server = (MetadataServer) Naming.lookup(cluster.url());
      Deadline.await("the group has ended", () -> server.stats().get("groups") == 3);
      neighbour.ask("replace third 5 9000", "ok "); // is told of it
    } finally {
      owner.signal("CONT");
    }
    Deadline.await("the pack is removed", () -> packs("a").isEmpty());
  }

  private List<String> packs(String host) {
    return cluster.files(host).stream().filter(each -> each.endsWith(".pack")).toList();
  }

  @Test
  public void ownersThatAreStoppedAreNotWaitedForEndlessly() throws Exception {
    Assume.assumeTrue("signals are sent by kill", new File("/bin/kill").exists());
    Jvm owner = cluster.member("a");
    Jvm holder = cluster.member("b");
    String both = owner.ask("bind both 1 300", "ok ");
    owner.ask("bind one 2 30000", "ok ");
    holder.ask("open " + both, "ok ");
    Jvm late = cluster.member("c");
    String address = owner.ask("put 6 30000", "ok ");
    owner.signal("STOP");
    try {
      assertThat(late.ask("impatient open " + both, "ok ")).isEqualTo(sum(1, 300));
      assertThat(late.ask("impatient open " + address, "failed "))
          .startsWith("GroupLostException")
          .contains(address, "no answer within");
    } finally {
      owner.signal("CONT");
    }
    assertThat(late.ask("get one", "ok ")).isEqualTo(sum(2, 30_000));
  }

  @Test
  public void fullDirectoriesLeaveNothingHalfVisible() throws Exception {
    File full = folder.newFolder("full");
    Assume.assumeTrue(
        "root mounts a file system of 1 MB",
        run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", full.toString()));
    try {
      Jvm owner = cluster.member("a");
      owner.ask("bind key 2 30000", "ok ");
      Jvm reader = cluster.member("full");
      assertThat(reader.ask("get key", "ok ")).isEqualTo(sum(2, 30_000));
      assertThat(reader.ask("put 3 30000", "failed "))
          .startsWith("IOException")
          .contains("bytes are free", full.toString());
      assertThat(cluster.files("full")).isEmpty();
      reader.ask("put 4 10", "ok ");
      reader.kill();
      cluster.server.kill();
    } finally {
      run("umount", "-l", full.toString());
    }
  }

  private static boolean run(String... command) throws Exception {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such command
    }
  }
}
