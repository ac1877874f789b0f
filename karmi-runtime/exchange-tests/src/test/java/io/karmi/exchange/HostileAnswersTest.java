package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.exchange.directory.Directory;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Another host that answers requests for groups with anything. */
public class HostileAnswersTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void whatIsNotTheGroupIsNeitherKeptNorRead() throws Exception {
    try (Cluster cluster = new Cluster(folder.getRoot().toPath())) {
      Jvm hostile = Jvm.start("-Xmx64m", HostileMain.class.getName(), cluster.url());
      try {
        GroupAddress first = GroupAddress.parse(hostile.awaitLine("joined "));
        Jvm reader = cluster.member(List.of("-Xmx64m"), "a");
        for (int kind = 0; kind < HostileMain.KINDS; kind++) {
          GroupAddress group = new GroupAddress(first.member(), kind, first.generation());
          String problem =
              reader.ask(
                  (kind == HostileMain.NEVER ? "impatient open " : "open ") + group, "failed ");
          assertThat(problem).contains(group.toString());
          if (kind < HostileMain.WHOLE) {
            assertThat(problem)
                .as("kind " + kind)
                .containsAnyOf(
                    "GroupLostException",
                    kind == HostileMain.ENDLESS || kind == HostileMain.NEARLY_ALL
                        ? "karmi.maxUnfinishedBytes"
                        : "GroupLostException");
            assertThat(cluster.files("a")).as("kind " + kind).isEmpty();
          }
        }
        Deadline.await( // those that no member holds are removed
            "few files are left", () -> cluster.files("a").size() <= HostileMain.KINDS);
      } finally {
        hostile.close();
      }
    }
  }

  /** Each request of some bytes was answered by a megabyte that waited in memory. */
  @Test
  public void piecesThatAreNotTakenTakeNoMemory() throws Exception {
    try (Cluster cluster = new Cluster(folder.getRoot().toPath())) {
      Jvm owner = cluster.member(List.of("-Xmx64m"), "b");
      String large = owner.ask("put 3 100000", "ok ");
      String small = owner.ask("put 1 1000", "ok ");
      Jvm greedy = Jvm.start("-Xmx256m", GreedyMain.class.getName(), cluster.url(), large);
      try {
        greedy.awaitLine("asked");
        greedy.signal("STOP");
        Jvm reader = cluster.member("a");
        assertThat(reader.ask("open " + small, "ok ")).isEqualTo(Graphs.sum(1, 1_000));
        assertThat(reader.ask("open " + large, "ok ")).isEqualTo(Graphs.sum(3, 100_000));
        greedy.signal("CONT");
      } finally {
        greedy.close();
      }
    }
  }

  @Test
  public void holdersThatAcceptAndStaySilentCostOneTimeoutTogether() throws Exception {
    try (Cluster cluster = new Cluster(folder.getRoot().toPath())) {
      Jvm owner = cluster.member("b");
      String good = owner.ask("put 3 30000", "ok ");
      Jvm reader = cluster.member("a");
      reader.ask("open " + owner.ask("put 1 1", "ok "), "ok "); // is connected from now on
      Jvm silent = Jvm.start("-Xmx64m", SilentMain.class.getName(), cluster.url(), good);
      try {
        String lost = silent.awaitLine("holds ");
        long begin = System.nanoTime();
        assertThat(reader.ask("impatient open " + good, "ok ")).isEqualTo(Graphs.sum(3, 30_000));
        assertThat(reader.ask("impatient open " + lost, "failed "))
            .startsWith("GroupLostException")
            .contains("no answer within");
        assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
            .isLessThan(6 * MemberMain.SHORT_MILLIS);
      } finally {
        silent.close();
      }
    }
  }

  /** It is asked first in half of the cases. */
  @Test
  public void groupsOfWhichAMemberTellsAnotherLengthComeFromOthers() throws Exception {
    String pieces = "-Dkarmi.internal.exchangePiece=16384";
    int pauseMillis = MemberMain.SHORT_MILLIS / Directory.MAXIMUM_SOURCES * 3 / 4;
    try (Cluster cluster = new Cluster(folder.getRoot().toPath())) {
      Jvm owner = cluster.member(List.of(pieces), "b");
      Jvm reader = cluster.member(List.of(pieces), "a");
      for (int round = 0; round < 4; round++) {
        List<String> words =
            new ArrayList<>(
                List.of(
                    pieces,
                    LyingMain.class.getName(),
                    cluster.url(),
                    Integer.toString(pauseMillis)));
        for (int i = 0; i < 4; i++) {
          words.add(owner.ask("replace key" + i + " " + i + " 30000", "ok "));
        }
        Jvm liar = Jvm.start(words.toArray(new String[0]));
        try {
          liar.awaitLine("holds them");
          for (int i = 0; i < 4; i++) {
            long begin = System.nanoTime();
            assertThat(reader.ask("impatient get key" + i, "ok ")).isEqualTo(Graphs.sum(i, 30_000));
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin))
                .as("key" + i)
                .isLessThan(2 * MemberMain.SHORT_MILLIS);
          }
        } finally {
          liar.close();
        }
      }
    }
  }
}
