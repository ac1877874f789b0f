package io.karmi.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Members of 64 MB whose directory answers with anything. */
public class HostileDirectoryTest {
  private static final List<String> OPTIONS = List.of("-Xmx64m");

  /** What no answer may take: below the limit, for those that are wrong at once. */
  private static final long MOST_SECONDS = 55;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private Cluster cluster;
  private Jvm liar;

  @Before
  public void start() throws Exception {
    int port = FreePort.any();
    liar = Jvm.start(HostileDirectoryMain.class.getName(), Integer.toString(port));
    cluster = new Cluster(folder.getRoot().toPath(), "//127.0.0.1:" + port + "/exchange");
    liar.awaitLine("listens");
  }

  @After
  public void end() {
    cluster.close();
    liar.close();
  }

  private static String failed(Jvm member, String command) throws Exception {
    long begin = System.nanoTime();
    String problem = member.ask(command, "failed ");
    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin))
        .as(command)
        .isLessThan(MOST_SECONDS);
    return problem;
  }

  @Test
  public void answersThatAreNoneFailByALineAndLeaveNothing() throws Exception {
    Jvm member = cluster.member(OPTIONS, "a");
    for (String lie : List.of("empty", "hole")) {
      assertThat(failed(member, "get " + lie)).as(lie).startsWith("IOException").contains("answer");
    }
    assertThat(failed(member, "get error")).contains("refuses: not really");
    String many = failed(member, "get many");
    assertThat(many).startsWith("GroupLostException");
    assertThat(many.length()).isLessThan(10_000);
    for (int i = 0; i < HostileDirectoryMain.extremes().size(); i++) {
      assertThat(failed(member, "get extreme-" + i))
          .startsWith("GroupLostException")
          .contains(HostileDirectoryMain.extremes().get(i).toString());
    }
    assertThat(failed(member, "impatient open " + HostileDirectoryMain.LATE))
        .contains("was not reached");
    assertThat(cluster.files("a")).isEmpty();
    assertThat(member.lines()).noneMatch(line -> line.contains("OutOfMemoryError"));
  }

  /** A member goes on by itself if the answer to its report is wrong. */
  @Test
  public void answersToReportsChangeNothingThatIsHeld() throws Exception {
    Path outside = folder.newFolder("outside").toPath();
    Files.writeString(outside.resolve("file"), "kept");
    Jvm member = cluster.member(OPTIONS, "a");
    String expected = Graphs.sum(1, 30_000);
    for (String lie : List.of("nothing", "empty", "hole", "error", "all", "late", "honest")) {
      liar.ask("update " + lie, "lies ");
      String group = member.ask("put 1 30000", "ok ");
      String small = member.ask("put 1 10", "ok ");
      if (!lie.equals("all") && !lie.equals("honest")) {
        assertThat(failed(member, "impatient bind key 1 10")).as(lie).startsWith("IOException");
      }
      assertThat(member.ask("open " + group, "ok ")).as(lie).isEqualTo(expected);
      member.ask("close " + small, "ok ");
      assertThat(member.ask("open " + group, "ok ")).as(lie).isEqualTo(expected);
    }
    assertThat(outside.resolve("file")).hasContent("kept");
    assertThat(member.lines()).noneMatch(line -> line.contains("OutOfMemoryError"));
    member.kill();
    assertThat(folder.getRoot().list()).containsExactlyInAnyOrder("a", "outside");
  }

  @Test
  public void whoIsTakenInByNoAnswerHasNotJoined() throws Exception {
    for (String lie : List.of("nothing", "empty")) {
      liar.ask("register " + lie, "lies ");
      Path files = folder.newFolder(lie).toPath();
      try (Jvm member =
          Jvm.start(
              "-Xmx64m",
              "-Dkarmi.exchange.dir=" + files,
              MemberMain.class.getName(),
              cluster.url())) {
        assertThat(member.ended()).as(lie).isTrue();
        assertThat(member.lines())
            .as(lie)
            .anyMatch(line -> line.contains("IOException") && line.contains("answer"));
        assertThat(files).as(lie).isEmptyDirectory();
      }
    }
  }
}
