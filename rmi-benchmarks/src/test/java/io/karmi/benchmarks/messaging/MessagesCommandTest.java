package io.karmi.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.benchmarks.report.HtmlReport;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.kit.Cable;
import io.karmi.kit.Deadline;
import io.karmi.kit.Jvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class MessagesCommandTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);

  @Test
  public void shortRunFillsTheTableAndTheFile() throws Exception {
    Path file = folder.getRoot().toPath().resolve("messages.json");
    int status =
        MessagesCommand.COMMAND.run(
            new String[] {
              "--technologies=tcp,loopback", "--rounds=1", "--millis=20", "--json=" + file
            },
            out,
            out);
    assertThat(status).as("%s", text).isZero();
    Results results = ResultsFile.read(file);
    assertThat(results.kernels()).hasSize(MessageKernel.values().length);
    for (MessageKernel kernel : MessageKernel.values()) {
      assertThat(results.cell(kernel.title, "messages-tcp")).as(kernel.title).isPresent();
      assertThat(results.cell(kernel.title, "loopback")).as(kernel.title).isPresent();
      assertThat(text.toString(StandardCharsets.UTF_8)).contains(kernel.title);
    }
    for (MessageKernel kernel : MessageKernel.values()) {
      assertThat(results.cell(kernel.title, "messages-tcp").orElseThrow().cpuNanos())
          .as("processor time of %s", kernel.title)
          .isPositive();
    }
    for (String peer : new String[] {"socket", "netty", "grpc", "aeron-udp", "aeron-ipc"}) {
      assertThat(results.cell(MessageKernel.BYTES_64.title, peer)).as(peer).isPresent();
      assertThat(results.cell(MessageKernel.REQUEST.title, peer)).as(peer).isPresent();
      assertThat(results.cell(MessageKernel.MEGABYTE.title, peer)).as(peer).isPresent();
    }
    assertThat(results.cell(MessageKernel.BYTES_64_BY_16.title, "calls-tcp")).isPresent();
    assertThat(text.toString(StandardCharsets.UTF_8)).contains("p99 us", "p99.9 us");
    assertThatTheReportHasAPictureOf(results);
    assertThat(driversOf(ProcessHandle.current().pid())).as("folders of Aeron's drivers").isEmpty();
  }

  private void assertThatTheReportHasAPictureOf(Results results) throws IOException {
    Path page = folder.getRoot().toPath().resolve("index.html");
    HtmlReport.write(List.of(results), page);
    assertThat(Files.readString(page.resolveSibling("messages.svg")))
        .contains("socket", "aeron", "tcp");
  }

  /** Runs for long. */
  static final class LongRun {
    private LongRun() {}

    public static void main(String[] args) {
      MessagesCommand.COMMAND.run(
          new String[] {"--technologies=loopback", "--rounds=999", "--millis=20"},
          System.out,
          System.err);
    }
  }

  @Test
  public void anInterruptedRunLeavesNoFoldersOfAeronsDrivers() throws Exception {
    try (Jvm run = Jvm.start(LongRun.class.getName())) {
      Deadline.await(
          "the folder with those of three drivers", () -> driversOf(run.pid()).size() > 3);
      run.signal("TERM"); // a shell's jobs in the background do not see INT
      Deadline.await("they are gone", () -> driversOf(run.pid()).isEmpty());
    }
  }

  private static List<Path> driversOf(long process) throws IOException {
    Path parent = Objects.requireNonNull(AeronPeer.folder().getParent());
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> folders =
        Files.newDirectoryStream(parent, "aeron-karmi-" + process + "-*")) {
      for (Path each : folders) {
        found.add(each);
        String[] drivers = each.toFile().list();
        for (String driver : drivers == null ? new String[0] : drivers) {
          found.add(each.resolve(driver));
        }
      }
    }
    return found;
  }

  @Test
  public void nodesOfAClusterOnOneHostSendToEachOther() {
    assertThatNodesSendToEachOther("--loopback");
  }

  @Test
  public void nodesOfAClusterHaveHostsOfTheirOwn() throws Exception {
    Optional<Cable> cable = Cable.lay("km", 215);
    assumeTrue("no network namespaces can be made here", cable.isPresent());
    cable.get().close();
    assertThatNodesSendToEachOther("--rate=1g");
    byte[] hosts = new ProcessBuilder("ip", "netns").start().getInputStream().readAllBytes();
    assertThat(new String(hosts, StandardCharsets.UTF_8))
        .as("hosts that are left")
        .doesNotContain("kb" + ProcessHandle.current().pid());
  }

  private void assertThatNodesSendToEachOther(String option) {
    String[] arguments = {"--nodes=3", option, "--rounds=1", "--millis=50"};
    int status = MessagesCommand.COMMAND.run(arguments, out, out);
    assertThat(status).as("%s", text).isZero();
    for (String row : List.of("64 B to all", "asks all, 16 threads", "store, 100 threads")) {
      assertThat(text.toString(StandardCharsets.UTF_8))
          .containsPattern("3 +" + row + "( +[0-9,.]+){2,4}\n");
    }
  }

  @Test
  public void wrongOptionsAreRefused() {
    assertThat(MessagesCommand.COMMAND.run(new String[] {"--rounds=none"}, out, out)).isEqualTo(2);
    assertThat(MessagesCommand.COMMAND.run(new String[] {"--no-such-option"}, out, out))
        .isEqualTo(2);
    assertThat(MessagesCommand.COMMAND.run(new String[] {"--nodes=1"}, out, out)).isEqualTo(2);
    assertThat(MessagesCommand.COMMAND.run(new String[] {"--nodes=2", "--rate=fast"}, out, out))
        .isEqualTo(2);
  }
}
