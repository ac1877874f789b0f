package io.karmi.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.benchmarks.stacks.Constellations;
import io.karmi.benchmarks.stacks.Plan;
import io.karmi.benchmarks.stacks.Stack;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.ParseException;
import org.junit.Test;

/** What {@code karmi-bench rmi} plans for its options. */
public class RmiPlanTest {
  private static final long FIVE_MINUTES = TimeUnit.MINUTES.toMillis(5);

  /** What is not planned: a kernel that warms up as long as it may, applications. */
  private static final long RESERVE_MILLIS = TimeUnit.SECONDS.toMillis(90);

  @Test
  public void aQuickRunIsPlannedForLessThanFiveMinutesOnAllStacks() throws Exception {
    Plan plan = plan("--quick");
    assertThat(plan.stacks()).isEqualTo(Stack.ofTheCollection());
    assertThat(plan.plannedMillis()).isBetween(1L, FIVE_MINUTES - RESERVE_MILLIS);
    assertThat(TimeUnit.SECONDS.toMillis(plan.budgetSeconds()))
        .as("no round is begun that would end later")
        .isLessThan(FIVE_MINUTES);
  }

  @Test
  public void whatIsWrittenLiesWhereOneOfTheTwoIsNamed() throws Exception {
    assertThat(RmiCommand.json(line())).isEqualTo("target/report/rmi.json");
    assertThat(RmiCommand.page(line(), "target/report/rmi.json"))
        .hasToString("target/report/index.html");
    assertThat(RmiCommand.json(line("--html", "out/page.html"))).isEqualTo("out/rmi.json");
    assertThat(RmiCommand.page(line("--json", "out/a.json"), "out/a.json"))
        .hasToString("out/index.html");
    assertThat(RmiCommand.page(line("--json", "-"), "-")).isNull();
  }

  private static CommandLine line(String... options) throws ParseException {
    return new DefaultParser().parse(RmiCommand.COMMAND.options(), options);
  }

  @Test
  public void moreRoundsArePlannedForLonger() throws Exception {
    assertThat(plan("--quick", "--rounds=9").plannedMillis())
        .isGreaterThan(plan("--quick").plannedMillis());
  }

  @Test
  public void allTechnologiesAreMeasuredBesideStockRmiAndTheFloors() throws Exception {
    assertThat(plan("--technology=all").stacks())
        .containsExactly(
            Stack.RMI,
            Stack.KARMI_UKA,
            Stack.KARMI_UDS,
            Stack.KARMI_SHM,
            Stack.KARMI_UCX,
            Stack.SOCKET);
    assertThat(plan("--technology=ucx").stacks())
        .containsExactly(Stack.RMI, Stack.KARMI_UKA, Stack.KARMI_UCX, Stack.SOCKET);
    assertThat(plan("--technology=shm").stacks())
        .containsExactly(Stack.RMI, Stack.KARMI_UKA, Stack.KARMI_SHM, Stack.SOCKET);
  }

  @Test
  public void ucxIsMeasuredWhereItIsAskedForAlone() throws Exception {
    assertThat(plan().stacks()).doesNotContain(Stack.KARMI_UCX);
    assertThat(plan("--stacks=rmi,karmi-ucx").stacks()).containsExactly(Stack.RMI, Stack.KARMI_UCX);
  }

  @Test
  public void kernelsAreAlsoChosenBySet() throws Exception {
    assertThat(plan("--kernels=all").kernels()).hasSameSizeAs(Constellations.all());
    assertThat(plan("--kernels=payloads").kernels())
        .hasSizeGreaterThan(100)
        .allMatch(kernel -> kernel.servers() == 1 && kernel.clients() <= 4);
    assertThat(plan("--kernels=quick").kernels()).hasSameSizeAs(Constellations.QUICK);
  }

  @Test
  public void anUnknownTechnologyIsNamedWithThoseThatThereAre() {
    assertThatThrownBy(() -> plan("--technology=pigeons"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pigeons")
        .hasMessageContaining("all, tcp, uds, shm, ucx");
  }

  @Test
  public void stacksAreChosenByOneOption() {
    assertThatThrownBy(() -> plan("--technology=all", "--stacks=rmi"))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("--stacks");
  }

  private static Plan plan(String... options) throws Exception {
    return RmiCommand.plan(new DefaultParser().parse(RmiCommand.COMMAND.options(), options));
  }
}
