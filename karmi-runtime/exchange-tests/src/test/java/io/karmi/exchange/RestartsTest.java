package io.karmi.exchange;

import static io.karmi.exchange.Graphs.sum;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.remote.MetadataServer;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import io.karmi.rmi.Naming;
import java.io.File;
import java.util.List;
import java.util.stream.Stream;
import org.junit.After;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Servers that are killed and started again, while members live on. */
public class RestartsTest {
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
}
