package io.karmi.benchmarks.stacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.Test;

public class ConstellationsTest {
  private static final int OF_THE_PAPER = 64;

  @Test
  public void thereAreAtLeastThePapers() {
    assertThat(Constellations.all())
        .hasSizeGreaterThanOrEqualTo(OF_THE_PAPER)
        .doesNotHaveDuplicates();
    assertThat(Constellations.all()).containsAll(Constellations.TABLE_3);
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
    assertThat(sor.application()).isEqualTo("sor");
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
  public void peersRunWhatTheyCanAndFloorsOnlyMoveBytes() {
    KernelName user = new KernelName("ping(of the user)");
    assertThat(Stack.GRPC.runs(user)).isFalse();
    assertThat(Stack.SOCKET.runs(user)).isTrue();
    assertThat(Stack.KARMI_UKA.runs(user)).isTrue();
    assertThat(Stack.GRPC.runs(new KernelName("sporadic ping()"))).isTrue();
    assertThat(Stack.GRPC.runs(new KernelName("pingpong(null)"))).isFalse();
    assertThat(Stack.SHARED_MEMORY.runs(new KernelName("ping() x16"))).isFalse();
    assertThat(Stack.UCX.runs(new KernelName("ping(tree(15))"))).isTrue();
    assertThat(Stack.UCX.runs(new KernelName("ping() x16"))).isFalse();
    assertThat(Stack.KARMI_UDS.runs(new KernelName("fresh ping()"))).isFalse();
  }
}
