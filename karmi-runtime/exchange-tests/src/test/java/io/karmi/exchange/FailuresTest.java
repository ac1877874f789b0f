package io.karmi.exchange;

import static io.karmi.exchange.Graphs.sum;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Owners and readers that are killed or stopped. {@link RestartsTest} kills servers. */
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
