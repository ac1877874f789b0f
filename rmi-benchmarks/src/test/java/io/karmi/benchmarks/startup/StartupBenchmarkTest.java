package io.karmi.benchmarks.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The sample program runs, is as large as it says, and is compared with itself. */
public class StartupBenchmarkTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void everyClassOfTheProgramIsLoadedAndGraphsCopiedUnderAnAgentToo() throws Exception {
    SampleProgram program = new SampleProgram(folder.getRoot().toPath(), 200, 3);
    List<String> command = program.write();
    try (JarFile jar = new JarFile(command.get(1))) {
      assertThat(jar.size()).as("200 classes and the one with main").isEqualTo(201);
    }
    StartupBenchmark benchmark = new StartupBenchmark(command);
    benchmark.add("plain");
    benchmark.add("agent", "-javaagent:" + program.writeEmptyAgent());
    List<StartupBenchmark.Row> rows = benchmark.run(1, step -> {});
    assertThat(rows).extracting(StartupBenchmark.Row::title).containsExactly("plain", "agent");
    assertThat(rows.get(0).addedMillis()).isZero();
    assertThat(rows.get(1).addedMillis())
        .isEqualTo(rows.get(1).medianMillis() - rows.get(0).medianMillis());
  }

  @Test
  public void aProgramThatFailsIsNoMeasurement() throws Exception {
    SampleProgram program = new SampleProgram(folder.getRoot().toPath(), 100, 0);
    StartupBenchmark benchmark = new StartupBenchmark(program.write());
    benchmark.add("no such agent", "-javaagent:" + folder.getRoot() + "/none.jar");
    assertThatThrownBy(() -> benchmark.run(1, step -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("failed");
  }

  @Test
  public void aWrongNumberIsTwoAndOneLine() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        StartupCommand.run(new String[] {"--classes=many"}, System.out, new PrintStream(err, true));
    assertThat(exit).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8).strip())
        .startsWith("karmi-bench startup: --classes is a number")
        .hasLineCount(1);
  }
}
