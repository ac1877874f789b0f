package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Cable;
import io.karmi.kit.Jvm;
import java.util.Optional;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Groups among JVMs of two hosts, which are network namespaces with a cable between them. */
public class CableTest {
  private static final int OBJECTS = 30_000;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Cable cable;
  private Cluster cluster;

  @Before
  public void lay() throws Exception {
    Optional<Cable> laid = Cable.lay("kx", 216);
    assumeTrue("no network namespaces can be made here", laid.isPresent());
    cable = laid.get();
    cluster = new Cluster(folder.getRoot().toPath(), cable);
  }

  @After
  public void remove() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
    if (cable != null) {
      cable.close();
    }
  }

  /** Opens a group; returns how many bytes the first host has sent for it. */
  private long transmittedWhile(Jvm reader, String group, String expected) throws Exception {
    long before = cable.transmitted();
    assertThat(reader.ask("open " + group, "ok ")).isEqualTo(expected);
    return cable.transmitted() - before;
  }

  @Test
  public void aGroupCrossesTheCableOnceForAllReadersOfAHost() throws Exception {
    Jvm owner = cluster.member("a");
    Jvm first = cluster.member("b");
    Jvm second = cluster.member("b");
    String group = owner.ask("put 7 " + OBJECTS, "ok ");
    String expected = Graphs.sum(7, OBJECTS);
    long fetched = transmittedWhile(first, group, expected);
    assertThat(fetched).isGreaterThan(OBJECTS);
    assertThat(transmittedWhile(second, group, expected)).isLessThan(fetched / 4);
    owner.kill();
    second.ask("close " + group, "ok ");
    assertThat(second.ask("open " + group, "ok ")).as("without its owner").isEqualTo(expected);
  }

  @Test
  public void aReaderOnAnotherHostGetsTheGroupOfAKeyAndIsASourceForItsOwnersHost()
      throws Exception {
    Jvm owner = cluster.member("a");
    Jvm reader = cluster.member("b");
    owner.ask("bind key 3 500", "ok ");
    String expected = Graphs.sum(3, 500);
    assertThat(reader.ask("get key", "ok ")).isEqualTo(expected);
    owner.kill();
    assertThat(cluster.member("a").ask("get key", "ok ")).isEqualTo(expected);
  }
}
