package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.benchmarks.measure.Task;
import io.karmi.benchmarks.payloads.Payload;
import java.util.List;
import org.junit.Test;

public class ConstellationsTest {
  private static final int OF_THE_PAPER = 64;
  private static final long GIB = 1L << 30;

  @Test
  public void thereAreAtLeastThePapers() {
    assertThat(Constellations.all())
        .hasSizeGreaterThanOrEqualTo(OF_THE_PAPER)
        .doesNotHaveDuplicates();
    assertThat(Constellations.all()).containsAll(Constellations.TABLE_3);
  }

  @Test
  public void thePapersAreEachKernelForEachPayloadAndTheApplications() {
    List<String> paper = Constellations.ofThePaper();
    assertThat(paper).hasSizeGreaterThanOrEqualTo(OF_THE_PAPER).doesNotHaveDuplicates();
    assertThat(Constellations.all()).containsAll(paper);
    assertThat(paper).contains("ping(int, int)", "hamming", "paraffins", "sor");
    for (Payload payload : Payload.values()) {
      String object = "(" + payload.title() + ")";
      assertThat(paper)
          .contains("ping" + object, "void ping" + object, "pingpong" + object)
          .contains("void pingpong" + object)
          .anyMatch(name -> name.startsWith("star" + object));
    }
  }

  @Test
  public void theFirstKernelOfABlockRunsLongerBeforeItIsMeasured() {
    Plan plan = new Plan(List.of(Stack.RMI), List.of(), 1, 1, 60, 300, 30, 1);
    KernelName ping = new KernelName("ping()");
    assertThat(plan.task(ping, true)).isEqualTo(new Task("ping()", 306, 30, false));
    assertThat(plan.task(ping, false)).isEqualTo(new Task("ping()", 6, 30, false));
    assertThat(plan.warmUp(ping)).isEqualTo(new Task("ping()", 60, 0, true));
  }

  @Test
  public void theQuickOnesAreAmongAll() {
    List<String> quick =
        Constellations.QUICK.stream().filter(name -> !name.startsWith("star")).toList();
    assertThat(Constellations.all()).containsAll(quick);
  }

  @Test
  public void namesSayHowManyJvmsAreNeeded() {
    KernelName star = new KernelName("star(tree(15)) from 16");
    assertThat(star.clients()).isEqualTo(16);
    assertThat(star.servers()).isEqualTo(1);
    KernelName sor = new KernelName("sor on 8");
    assertThat(sor.clients()).isEqualTo(1);
    assertThat(sor.servers()).isEqualTo(8);
    assertThat(new KernelName("ping(int[50])").arrayLength()).isEqualTo(50);
  }

  @Test
  public void allKernelsOfAUnitNeedAsManyJvms() {
    Plan plan =
        new Plan(
            List.of(Stack.values()),
            Constellations.all().stream().map(KernelName::new).toList(),
            2,
            1,
            1,
            1,
            1,
            1);
    List<Unit> units = Unit.of(plan);
    assertThat(units)
        .allSatisfy(
            unit ->
                assertThat(unit.kernels())
                    .allMatch(kernel -> kernel.servers() == unit.kernels().get(0).servers())
                    .allMatch(kernel -> kernel.clients() == unit.kernels().get(0).clients()));
    assertThat(units.stream().map(Unit::id)).doesNotHaveDuplicates();
    assertThat(units.stream().filter(unit -> unit.fork() == 2).count() * 2).isEqualTo(units.size());
  }

  @Test
  public void starsFromFourOfAllRmiStacksLiveTogetherOnSixteenGib() {
    Plan plan = plan(1, 1000, List.of("star(tree(15)) from 4", "star(null) from 4"));
    assertThat(Unit.of(plan, new MemoryForJvms(16 * GIB)))
        .singleElement()
        .satisfies(
            unit -> {
              assertThat(unit.together()).isTrue();
              assertThat(unit.rounds(plan)).isEqualTo(1000);
              assertThat(unit.stacks()).hasSize(7).contains(Stack.RMI, Stack.KARMI);
            });
  }

  @Test
  public void stacksWithoutRoomForAllHaveTwoTurnsEachAndFewerRounds() {
    Plan plan = plan(1, 25, List.of("star(null) from 8"));
    List<Unit> units = Unit.of(plan, new MemoryForJvms(8 * GIB));
    assertThat(units).hasSize(8).allMatch(unit -> !unit.together());
    List<List<Stack>> turns = units.stream().map(Unit::stacks).toList();
    assertThat(turns.subList(4, 8)).as("A B C D A B C D").isEqualTo(turns.subList(0, 4));
    assertThat(turns.subList(0, 4).stream().flatMap(List::stream))
        .as("each stack once in each pass")
        .containsExactlyElementsOf(
            plan.stacks().stream().filter(stack -> stack.runs(plan.kernels().get(0))).toList());
    assertThat(turns).as("groups are of a size").allMatch(turn -> turn.size() <= 2);
    assertThat(units).allMatch(unit -> unit.rounds(plan) == 13);
    assertThat(units.stream().map(Unit::id)).doesNotHaveDuplicates();
  }

  @Test
  public void forksAreTurnsAlready() {
    Plan plan = plan(2, 25, List.of("sor on 8"));
    List<Unit> units = Unit.of(plan, new MemoryForJvms(8 * GIB));
    assertThat(units.stream().map(Unit::fork)).containsExactly(1, 1, 1, 1, 2, 2, 2, 2);
    assertThat(units).allMatch(unit -> unit.passes() == 1 && unit.rounds(plan) == 25);
  }

  @Test
  public void aSmallMachineMeasuresStackByStackAndFloorsLast() {
    Plan plan = plan(1, 1, List.of("ping()"));
    List<Unit> units = Unit.of(plan, new MemoryForJvms(1));
    assertThat(units).hasSize(2 * plan.stacks().size()).allMatch(unit -> unit.rounds(plan) == 1);
    List<Stack> order = units.stream().flatMap(unit -> unit.stacks().stream()).toList();
    assertThat(order.indexOf(Stack.KARMI_UKA))
        .as("what a floor carries is known from it")
        .isLessThan(order.indexOf(Stack.SOCKET));
  }

  private static Plan plan(int forks, int rounds, List<String> kernels) {
    return new Plan(
        Stack.ofTheCollection(),
        kernels.stream().map(KernelName::new).toList(),
        forks,
        rounds,
        1,
        1,
        1,
        1);
  }

  @Test
  public void peersRunWhatTheyCanAndFloorsOnlyMoveBytes() {
    KernelName user = new KernelName("ping(of the user)");
    assertThat(Stack.GRPC.runs(user)).isFalse();
    assertThat(Stack.SOCKET.runs(user)).isTrue();
    assertThat(Stack.KARMI_UKA.runs(user)).isTrue();
    assertThat(Stack.GRPC.runs(new KernelName("sporadic ping()"))).isTrue();
    assertThat(Stack.GRPC.runs(new KernelName("pingpong(null)"))).isFalse();
    assertThat(Stack.SOCKET.runs(new KernelName("ping() x16"))).isTrue();
    assertThat(Stack.KARMI_UDS.runs(new KernelName("fresh ping()"))).isFalse();
  }
}
