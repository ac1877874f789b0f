package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Explained;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A load test of JMeter: the client sends its plan to a server, which sends samples back by calls.
 * At the end both interrupt the thread that keeps a JVM with exports alive, and have to end by it.
 */
public class JMeterIT {
  private static final long DEADLINE_SECONDS = 120;
  private static final int SAMPLES = 60;
  private static final List<String> ENDS = List.of("server", "client");

  /** Row of a peer in the agent's summary, up to the network. */
  private static final String CALLS = "(?m)^ +127\\.0\\.0\\.1 +";

  private static final String PLAN =
      """
      <jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3"><hashTree>
        <TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="plan"/>
        <hashTree>
          <ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="threads">
            <intProp name="ThreadGroup.num_threads">3</intProp>
            <intProp name="ThreadGroup.ramp_time">0</intProp>
            <elementProp name="ThreadGroup.main_controller" elementType="LoopController"
                guiclass="LoopControlPanel" testclass="LoopController">
              <stringProp name="LoopController.loops">20</stringProp>
              <boolProp name="LoopController.continue_forever">false</boolProp>
            </elementProp>
          </ThreadGroup>
          <hashTree>
            <JavaSampler guiclass="JavaTestSamplerGui" testclass="JavaSampler" testname="sample">
              <stringProp name="classname">org.apache.jmeter.protocol.java.test.SleepTest</stringProp>
              <elementProp name="arguments" elementType="Arguments">
                <collectionProp name="Arguments.arguments">
                  <elementProp name="SleepTime" elementType="Argument">
                    <stringProp name="Argument.name">SleepTime</stringProp>
                    <stringProp name="Argument.value">1</stringProp>
                  </elementProp>
                  <elementProp name="SleepMask" elementType="Argument">
                    <stringProp name="Argument.name">SleepMask</stringProp>
                    <stringProp name="Argument.value">0x1</stringProp>
                  </elementProp>
                </collectionProp>
              </elementProp>
            </JavaSampler>
            <hashTree/>
          </hashTree>
        </hashTree>
      </hashTree></jmeterTestPlan>
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final List<Process> started = new ArrayList<>();
  private Path home;

  @Before
  public void makeHome() throws IOException {
    home = folder.getRoot().toPath();
    for (String each : List.of("bin", "lib/ext", "lib/junit")) {
      Files.createDirectories(home.resolve(each));
    }
    for (String each : List.of("jmeter", "saveservice", "upgrade")) {
      try (InputStream in = JMeterIT.class.getResourceAsStream("/bin/" + each + ".properties")) {
        Files.copy(in, home.resolve("bin/" + each + ".properties"));
      }
    }
    Files.writeString(home.resolve("bin/plan.jmx"), PLAN);
  }

  @After
  public void kill() throws InterruptedException {
    for (Process each : started) {
      each.destroyForcibly().waitFor();
    }
  }

  private Process start(String name, List<String> options, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-XX:TieredStopAtLevel=1"); // over before the second compiler pays
    command.add("-Djava.awt.headless=true");
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    command.add("-Djava.util.prefs.userRoot=" + home);
    command.add("-Djmeter.home=" + home);
    command.add("-cp");
    command.add(Jvm.classPath());
    command.add("members.JMeterMain");
    command.add("-Jjmeterengine.nongui.port=0");
    Collections.addAll(command, arguments);
    ProcessBuilder builder = new ProcessBuilder(command).directory(home.resolve("bin").toFile());
    builder.environment().keySet().removeIf(each -> each.endsWith("JAVA_OPTIONS"));
    Process process =
        builder.redirectErrorStream(true).redirectOutput(output(name).toFile()).start();
    started.add(process);
    return process;
  }

  private Path output(String name) {
    return home.resolve(name + ".out");
  }

  private void awaitEnd(String name, Process process) throws Exception {
    assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS))
        .as("the %s ends; it printed %s", name, Files.readString(output(name)))
        .isTrue();
    assertThat(process.exitValue()).as(Files.readString(output(name))).isZero();
  }

  private void run(Stage serverStage, Stage clientStage) throws Exception {
    run(serverStage.options, clientStage.options, List.of());
  }

  private void run(List<String> serverOptions, List<String> clientOptions, List<String> settings)
      throws Exception {
    String port = Integer.toString(FreePort.any());
    List<String> serve = new ArrayList<>(List.of("-s", "-Jserver_port=" + port));
    serve.addAll(RecipesTest.command("jmeter", "bin/jmeter-server", "host", "127.0.0.1"));
    serve.addAll(settings);
    Process server = start("server", serverOptions, serve.toArray(String[]::new));
    awaitCreated(server);
    List<String> command =
        RecipesTest.command("jmeter", "bin/jmeter", "host:1099", "127.0.0.1:" + port);
    command.addAll(settings);
    Process client = start("client", clientOptions, command.toArray(String[]::new));
    awaitEnd("client", client);
    awaitEnd("server", server);
    List<String> samples = Files.readAllLines(home.resolve("bin/samples"));
    assertThat(samples)
        .as(Files.readString(output("client")))
        .hasSize(SAMPLES + 1)
        .filteredOn(line -> line.contains(",true,"))
        .hasSize(SAMPLES);
  }

  private void awaitCreated(Process server) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!Files.readString(output("server")).contains("Created remote object")) {
      boolean ended = server.waitFor(50, TimeUnit.MILLISECONDS);
      assertThat(!ended && System.nanoTime() < deadline)
          .as("the server listens; it printed %s", Files.readString(output("server")))
          .isTrue();
    }
  }

  @Test
  public void bothEndWithAllSamplesOnStockRmi() throws Exception {
    run(Stage.STOCK, Stage.STOCK);
  }

  @Test
  public void bothEndWithAllSamplesIfTheServerHasKarmi() throws Exception {
    run(Stage.AGENT, Stage.STOCK);
  }

  @Test
  public void bothEndWithAllSamplesIfTheClientHasKarmi() throws Exception {
    run(Stage.STOCK, Stage.AGENT);
  }

  /** What {@code --explain} says of both ends, compared with what the agents say at their end. */
  @Test
  public void bothEndWithAllSamplesIfBothHaveKarmiAsExplained() throws Exception {
    Explained explained = runExplained(List.of());
    assertThat(explained.text())
        .contains(
            "JMeter, distributed (ApacheJMeter_core",
            "on KaRMI with server.rmi.ssl.disable=true",
            "on KaRMI if both are null");
    for (String each : ENDS) {
      assertThat(Files.readString(output(each)))
          .containsPattern(CALLS + "(tcp|uds|shm) ")
          .doesNotContainPattern(CALLS + "stock ")
          .doesNotContain("exports that stayed on stock RMI");
    }
  }

  @Test
  public void exportsWithTheTlsOfJMeterStayOnStockRmiAsExplained() throws Exception {
    Explained explained = runExplained(tls());
    assertThat(explained.text())
        .contains("its TLS factories are stock RMI's")
        .containsPattern(
            "(?s)exports with socket factories:.*stock RMI, which uses them"
                + ".*org\\.apache\\.jmeter\\.engine\\.RemoteJMeterEngineImpl");
    for (String each : ENDS) {
      assertThat(Files.readString(output(each)))
          .containsPattern(CALLS + "stock .* socket factories")
          .doesNotContainPattern(CALLS + "(tcp|uds|shm) ");
    }
    assertThat(Files.readString(output("server")))
        .contains("org.apache.jmeter.engine.RemoteJMeterEngineImpl: socket factories");
  }

  /** Settings of JMeter's own TLS: one key, by which both ends know each other. */
  private List<String> tls() throws Exception {
    Path keys = home.resolve("rmi_keystore.jks");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "rmi",
                "-dname",
                "CN=127.0.0.1",
                "-storepass",
                "changeit",
                "-keystore",
                keys.toString())
            .redirectErrorStream(true)
            .redirectOutput(output("keytool").toFile())
            .start();
    started.add(keytool);
    awaitEnd("keytool", keytool);
    return List.of("-Jserver.rmi.ssl.disable=false", "-Jserver.rmi.ssl.keystore.file=" + keys);
  }

  private Explained runExplained(List<String> settings) throws Exception {
    Explained explained = Explained.of(Stage.jar(), "-cp", Jvm.classPath(), "members.JMeterMain");
    List<List<String>> options = new ArrayList<>();
    for (String each : ENDS) {
      options.add(Explained.options(Stage.jar(), log(each)));
    }
    run(options.get(0), options.get(1), settings);
    for (String each : ENDS) {
      assertThat(Explained.rewired(Files.lines(output(each))))
          .as(each)
          .isEqualTo(explained.rewires(log(each)));
    }
    return explained;
  }

  private Path log(String name) {
    return home.resolve(name + ".classes");
  }
}
