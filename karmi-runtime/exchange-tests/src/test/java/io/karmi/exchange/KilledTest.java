package io.karmi.exchange;

import static io.karmi.exchange.Graphs.sum;
import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.server.HaltingServerMain;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Owners and servers that are killed at each step. {@link FailuresTest} kills readers. */
public class KilledTest {
  private static final String HALTING = HaltingServerMain.class.getName();

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

  /** A key is bound to a whole group, or not bound; and nothing is left that no key holds. */
  @Test
  public void ownersThatAreKilledLeaveWholeGroupsOrNone() throws Exception {
    Jvm neighbour = cluster.member("a");
    int round = 0;
    for (String step : new String[] {"marshalled", "written", "put", "bound"}) {
      for (int objects : new int[] {10, 30_000}) {
        if (objects == 10 && step.equals("written")) {
          continue; // small groups have no file of their own
        }
        String key = "key-" + ++round;
        Jvm killed = cluster.member("a", step, "1");
        killed.tell("bind " + key + " 1 " + objects);
        assertThat(killed.ended()).as(step + killed.lines()).isTrue();
        if (step.equals("bound")) {
          assertThat(neighbour.ask("peek " + key, "ok ")).isEqualTo(sum(1, objects));
          neighbour.ask("replace " + key + " 2 1", "ok ");
        } else {
          assertThat(neighbour.ask("peek " + key, "failed ")).startsWith("NoSuchElementException");
        }
      }
    }
    Jvm last = cluster.member("b");
    assertThat(last.ask("get key-" + round, "ok ")).isEqualTo(sum(2, 1));
    Deadline.await(
        "only the neighbour's pack is left",
        () -> {
          neighbour.ask("gc", "ok ");
          return cluster.files("a").size() <= 1;
        });
  }

  /** Those that members call once a server is there, and those that they call at any time. */
  @Test
  public void serversThatAreKilledInACallAreWaitedForAndKnowAllAgain() throws Exception {
    Jvm owner = cluster.member("a");
    Jvm reader = cluster.member("b");
    String first = owner.ask("bind first 7 100", "ok ");
    int round = 0;
    for (String method : new String[] {"register", "begin", "bind", "update", "lookup"}) {
      for (String when : new String[] {" before", " after"}) {
        String key = "key-" + ++round;
        Jvm killed;
        if (method.equals("register") || method.equals("begin")) {
          cluster.server.kill();
          killed = cluster.startServer(HALTING, method + when);
        } else {
          killed = cluster.server;
          killed.ask(method + when, "ends ");
        }
        owner.tell("replace " + key + " " + round + " 100"); // "bind" waits for those of before
        reader.tell("await " + key);
        assertThat(killed.ended()).as(method + when).isTrue();
        cluster.startServer(HALTING);
        owner.awaitLine("ok ");
        assertThat(reader.awaitLine("ok ")).as(method + when).isEqualTo(sum(round, 100));
        assertThat(reader.ask("open " + first, "ok ")).isEqualTo(sum(7, 100));
        assertThat(reader.ask("get first", "ok ")).isEqualTo(sum(7, 100));
      }
    }
  }
}
