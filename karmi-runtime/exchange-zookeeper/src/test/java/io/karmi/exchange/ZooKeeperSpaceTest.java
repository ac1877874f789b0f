package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Spaces whose directory is a cluster of three servers of ZooKeeper. */
public class ZooKeeperSpaceTest {
  private static final int SERVERS = 3;

  /**
   * A killed process is noticed after that. Those that are not killed have longer ones, which no
   * busy machine ends.
   */
  private static final List<String> SHORT_SESSION =
      List.of("-Dcurator-default-session-timeout=6000");

  private static TestingCluster servers;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Cluster cluster;

  @BeforeClass
  public static void startServers() throws Exception {
    System.setProperty("zookeeper.forceSync", "no");
    List<InstanceSpec> specs = new ArrayList<>();
    for (int i = 0; i < SERVERS; i++) {
      specs.add(
          new InstanceSpec(
              null, FreePort.any(), FreePort.any(), FreePort.any(), true, -1, 1000, 30));
    }
    servers = new TestingCluster(specs);
    servers.start();
  }

  @AfterClass
  public static void stopServers() throws Exception {
    servers.close();
    System.clearProperty("zookeeper.forceSync");
  }

  @Before
  public void start() {
    String path = "/karmi/" + folder.getRoot().getName();
    cluster =
        new Cluster(folder.getRoot().toPath(), "zookeeper://" + servers.getConnectString() + path);
  }

  @After
  public void end() {
    cluster.close();
  }

  private Jvm member(String host) throws Exception {
    return cluster.member(host);
  }

  private static String sum(long seed, int objects) {
    return Long.toString(Graphs.sum(Graphs.random(seed, objects)));
  }

  @Test
  public void membersShareGroupsAlsoWhileAServerIsDown() throws Exception {
    Jvm owner = member("a");
    Jvm neighbour = member("a");
    Jvm other = member("b");
    String bound = owner.ask("bind key 1 3000", "ok ");
    assertThat(other.ask("get key", "ok ")).isEqualTo(sum(1, 3000));
    assertThat(other.ask("bind key 2 10", "failed ")).startsWith("KeyTakenException");
    InstanceSpec killed = servers.getInstances().iterator().next();
    servers.killServer(killed);
    try {
      other.tell("await late");
      String late = owner.ask("bind late 5 20", "ok ");
      assertThat(other.awaitLine("ok ")).isEqualTo(sum(5, 20));
      assertThat(neighbour.ask("open " + late, "ok ")).isEqualTo(sum(5, 20));
      other.ask("replace key 4 20", "ok ");
      assertThat(neighbour.ask("get key", "ok ")).isEqualTo(sum(4, 20));
      assertThat(neighbour.ask("open " + bound, "ok ")).isEqualTo(sum(1, 3000));
    } finally {
      servers.restartServer(killed);
    }
    assertThat(owner.ask("get late", "ok ")).isEqualTo(sum(5, 20));
  }

  @Test
  public void groupsOfKilledOwnersComeFromOtherHolders() throws Exception {
    Jvm owner = cluster.member(SHORT_SESSION, "a");
    Jvm holder = member("b");
    owner.ask("bind key 1 300", "ok ");
    String alone = owner.ask("put 2 30000", "ok ");
    owner.ask("bind alone 3 10", "ok ");
    holder.ask("get key", "ok ");
    Jvm late = member("c");
    owner.kill();
    Deadline.await(
        "the owner is taken for dead",
        () -> late.ask("open " + alone, "failed ").startsWith("GroupLostException"));
    assertThat(late.ask("get key", "ok ")).isEqualTo(sum(1, 300));
    Deadline.await(
        "its key is lost",
        () -> late.ask("get alone", "failed ").startsWith("NoSuchElementException"));
    Jvm heir = member("a");
    Deadline.await("its files are removed", () -> cluster.files("a").size() <= 1);
    assertThat(heir.ask("get key", "ok ")).isEqualTo(sum(1, 300));
  }

  @Test
  public void nothingIsLeftOfGroupsThatAreClosed() throws Exception {
    Jvm owner = member("a");
    Jvm other = member("b");
    String left = owner.ask("put 1 5000", "ok ");
    String right = owner.ask("put 2 10", "ok ");
    String both = owner.ask("combine " + left + " " + right, "ok ");
    owner.ask("close " + left, "ok ");
    owner.ask("close " + right, "ok ");
    assertThat(other.ask("open " + both, "ok "))
        .isEqualTo("[" + sum(1, 5000) + ", " + sum(2, 10) + "]");
    for (String each : List.of(left, right, both)) {
      other.ask("close " + each, "ok ");
    }
    owner.ask("close " + both, "ok ");
    Deadline.await(
        "files of all hosts are removed",
        () -> {
          owner.ask("gc", "ok "); // the groups in the roots of others
          other.ask("gc", "ok ");
          return cluster.files("a").isEmpty() && cluster.files("b").isEmpty();
        });
  }

  @Test
  public void whatTheClassPathLacksIsNamed() throws Exception {
    assertThat(outputOfMemberWithout("exchange-zookeeper/target/classes"))
        .contains("no directory for " + cluster.url(), "karmi-exchange-zookeeper.jar");
    assertThat(outputOfMemberWithout("/curator-"))
        .contains("the directory " + cluster.url(), "org.apache.curator:curator-framework");
  }

  /** What a member prints whose class path lacks the entries that have such a name. */
  private String outputOfMemberWithout(String part) throws Exception {
    String classPath =
        Stream.of(Jvm.classPath().split(File.pathSeparator))
            .filter(entry -> !entry.contains(part))
            .collect(Collectors.joining(File.pathSeparator));
    return Jvm.java("-cp", classPath, MemberMain.class.getName(), cluster.url()).err();
  }
}
