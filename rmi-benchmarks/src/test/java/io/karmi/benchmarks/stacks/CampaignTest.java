package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.benchmarks.kernels.KernelServer;
import io.karmi.benchmarks.measure.Percentiles;
import io.karmi.benchmarks.measure.Task;
import io.karmi.benchmarks.payloads.PayloadTest;
import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.benchmarks.results.RunFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.TestName;

/**
 * The programs on stock RMI and on the peers, in JVMs of their own. {@link AwakeProcessorsTest}
 * keeps processors awake; here that would slow other tests.
 */
public class CampaignTest {
  /** JVMs of a test are over before the second compiler's code pays. */
  static final List<String> FIRST_COMPILER_ONLY = List.of("-XX:TieredStopAtLevel=1");

  private static final List<String> KERNELS =
      List.of(
          "ping()",
          "ping(int, int)",
          "ping(int, int, float, float)",
          "ping(null)",
          "ping(tree(15))",
          "void ping(float[50])",
          "pingpong(tree(15))",
          "void pingpong(32 int)",
          "sporadic ping()",
          "ping(byte[50]) x4",
          "hamming");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Rule public final TestName name = new TestName();

  private final List<String> progress = new ArrayList<>();

  @Test
  public void everyKernelIsMeasuredAndAllJvmsEnd() throws Exception {
    Results results = run(plan(KERNELS, Stack.RMI), null);
    assertThat(results.kernels()).isEqualTo(KERNELS);
    assertThat(results.complete()).isTrue();
    assertThat(results.cells())
        .allSatisfy(
            cell -> {
              assertThat(cell.rounds()).as(cell.kernel()).hasSize(2);
              assertThat(cell.calmMicros()).isPositive();
              assertThat(cell.calmP99Micros()).isGreaterThanOrEqualTo(cell.calmMicros());
              assertThat(cell.allocatedBytes()).isPositive();
              assertThat(cell.cpuNanos()).isPositive();
            });
  }

  @Test
  public void severalClientsAndWorkersGiveWhatOneGives() throws Exception {
    List<String> kernels =
        List.of(
            "star(tree(15)) from 2",
            "paraffins",
            "sor",
            "paraffins on 2",
            "sor on 2",
            "hamming on 2");
    Results results = run(plan(kernels, Stack.RMI), null);
    assertThat(results.kernels()).hasSameElementsAs(kernels);
    for (String application : List.of("paraffins", "sor")) {
      assertThat(observation(results, application + " on 2"))
          .isEqualTo(observation(results, application));
    }
    assertThat(observation(results, "paraffins"))
        .contains("[1, 1, 1, 2, 3, 5, 9, 18, 35, 75, 159, 355]");
  }

  @Test
  public void aPayloadOfTheUsersIsCarried() throws Exception {
    Path root = folder.getRoot().toPath();
    Place place =
        new Place(
            root,
            logs(),
            List.of(classesOf(KernelServer.class), classesOf(PayloadTest.class)),
            List.of(PayloadTest.Words.class.getName()),
            List.of("-Xmx128m"),
            Hosts.local());
    Plan plan = plan(List.of("ping(two words)", "void pingpong(two words)"), Stack.RMI);
    Results results =
        new Campaign(plan, place, null, progress::add, true, MemoryForJvms.ofThisMachine())
            .run(false);
    assertThat(results.kernels()).containsExactly("ping(two words)", "void pingpong(two words)");
    assertThat(results.conditions().jvmOptions()).containsExactly("-Xmx128m");
  }

  @Test
  public void aFreshConnectionIsMadeForEachCall() throws Exception {
    Results results = run(plan(List.of("ping()", "fresh ping()"), Stack.RMI), null);
    Cell kept = results.cell("ping()", "rmi").orElseThrow();
    Cell fresh = results.cell("fresh ping()", "rmi").orElseThrow();
    assertThat(fresh.wireBytes())
        .as("a connection's first bytes come on top of the call's")
        .isGreaterThan(kept.wireBytes());
  }

  @Test
  public void peersAndFloorsRunWhatTheyCan() throws Exception {
    List<Stack> stacks = List.of(Stack.RMI, Stack.DIRMI, Stack.GRPC, Stack.SOCKET);
    List<String> kernels =
        List.of("ping()", "ping(int, int, float, float)", "ping(tree(15))", "void ping(int[2000])");
    Plan plan = plan(kernels, stacks.toArray(Stack[]::new));
    Results results = run(plan, null);
    assertThat(results.cells()).hasSize(kernels.size() * stacks.size());
    assertThat(results.contestants())
        .extracting(Results.StackRow::name)
        .containsExactly("dirmi", "grpc");
  }

  @Test
  public void stacksWithoutRoomForBothAreMeasuredInTurnAndTheResultsSayWhere() throws Exception {
    Plan plan = plan(List.of("ping()"), Stack.RMI, Stack.DIRMI);
    Results results =
        new Campaign(plan, place(), null, progress::add, false, new MemoryForJvms(1)).run(false);
    assertThat(progress.stream().filter(line -> line.startsWith("part ")))
        .extracting(line -> line.replaceAll(".* on |;.*", ""))
        .containsExactly(
            "stock RMI, pass 1 of 2",
            "Dirmi, pass 1 of 2",
            "stock RMI, pass 2 of 2",
            "Dirmi, pass 2 of 2");
    assertThat(results.cells()).hasSize(2).allMatch(cell -> cell.rounds().size() == 2);
    assertThat(results.apart()).containsExactly("ping()");
  }

  @Test
  public void aRunThatWasStoppedGoesOn() throws Exception {
    String file = folder.getRoot().toPath().resolve("results.json").toString();
    Plan plan = plan(List.of("ping()", "ping() x2", "star(null) from 2"), Stack.RMI);
    assertThatThrownBy(() -> stopAt("part 2", plan, file))
        .isInstanceOf(CancellationException.class);
    Results stopped = ResultsFile.read(Path.of(file));
    assertThat(stopped.complete()).isFalse();
    assertThat(stopped.kernels()).containsExactly("ping()", "ping() x2");
    Results results = run(plan, file);
    assertThat(results.complete()).isTrue();
    assertThat(results.kernels()).hasSize(3);
    assertThat(results.cell("ping()", "rmi")).isEqualTo(stopped.cell("ping()", "rmi"));
    assertThat(progress).anyMatch(line -> line.contains("1 parts are done"));
  }

  @Test
  public void aRunThatWasStoppedKeepsTheRoundsThatAreDone() throws Exception {
    String file = folder.getRoot().toPath().resolve("results.json").toString();
    Plan plan =
        new Plan(List.of(Stack.RMI), List.of(new KernelName("ping()")), 1, 5, 20, 10, 10, 600);
    assertThatThrownBy(() -> stopAt("round 4 of", plan, file))
        .isInstanceOf(CancellationException.class);
    Cell before = ResultsFile.read(Path.of(file)).cell("ping()", "rmi").orElseThrow();
    assertThat(before.rounds()).hasSize(3);
    assertThat(before.allocatedBytes()).as("of the warm-up").isPositive();
    Cell after = run(plan, file).cell("ping()", "rmi").orElseThrow();
    assertThat(after.rounds()).hasSize(5).startsWith(before.rounds().toArray(Percentiles[]::new));
  }

  @Test
  public void aFloorCarriesWhatWasCountedInTheWarmUp() throws Exception {
    Results results = run(plan(List.of("ping(byte[500])"), Stack.RMI, Stack.SOCKET), null);
    Cell calls = results.cell("ping(byte[500])", "rmi").orElseThrow();
    assertThat(results.cell("ping(byte[500])", "socket").orElseThrow().observation())
        .isEqualTo(
            "%d bytes there, %d back"
                .formatted(Math.round(calls.sentBytes()), Math.round(calls.receivedBytes())));
  }

  private void stopAt(String text, Plan plan, String file) throws Exception {
    new Campaign(
            plan,
            place(),
            file,
            line -> {
              if (line.contains(text)) {
                throw new CancellationException(line);
              }
            },
            false,
            MemoryForJvms.ofThisMachine())
        .run(false);
  }

  @Test
  public void aRoundThatWouldExceedTheBudgetIsNotBegun() throws Exception {
    Plan plan =
        new Plan(List.of(Stack.RMI), List.of(new KernelName("ping()")), 1, 100_000, 10, 10, 10, 1);
    assertThat(run(plan, null).cell("ping()", "rmi").orElseThrow().rounds())
        .as("rounds of some 20 ms each, within a second that starts two JVMs as well")
        .hasSizeBetween(1, 100);
  }

  @Test
  public void aFailingClientIsReportedWithWhatItPrinted() {
    assertThatThrownBy(
            () -> {
              try (Jvms jvms =
                  Jvms.start(List.of(Stack.RMI), place(), new KernelName("ping()"))
                      .get(Stack.RMI)) {
                jvms.measure(new Task("nonsense", 1, 1, false));
              }
            })
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("rmi-client ended with 1")
        .hasMessageContaining("nonsense");
  }

  @Test
  public void progressSaysHowMuchTimeIsLeft() throws Exception {
    run(plan(List.of("ping()"), Stack.RMI), null);
    assertThat(progress)
        .anyMatch(line -> line.matches("part 1 of 1, fork 1: ping\\(\\) .*min left"));
    assertThat(Files.list(logs())).isNotEmpty();
  }

  private static String observation(Results results, String kernel) {
    return results.cell(kernel, "rmi").orElseThrow().observation();
  }

  private static Plan plan(List<String> kernels, Stack... stacks) {
    return new Plan(
        List.of(stacks), kernels.stream().map(KernelName::new).toList(), 1, 2, 20, 10, 10, 600);
  }

  private Results run(Plan plan, String file) throws Exception {
    return new Campaign(plan, place(), file, progress::add, false, MemoryForJvms.ofThisMachine())
        .run(false);
  }

  private Place place() throws Exception {
    return new Place(
        folder.getRoot().toPath(),
        logs(),
        List.of(classesOf(KernelServer.class)),
        List.of(),
        FIRST_COMPILER_ONLY,
        Hosts.local());
  }

  /** Of the test's JVMs; they stay: a JVM that did not end leaves its threads there. */
  private Path logs() {
    return Path.of("target", "campaign-logs", name.getMethodName());
  }

  private static Path classesOf(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
