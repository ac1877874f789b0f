package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What {@code -javaagent:karmi.jar=summary} prints at the end of two JVMs that call each other. */
public class SummaryIT {
  private static final Path JAR = Path.of("target", "karmi", "lib", "karmi.jar").toAbsolutePath();
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private static final String AGENT = "-javaagent:" + JAR + "=summary";
  private static final String TITLE = "KaRMI's summary";

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static String programs;

  /** What server and client printed. */
  private record Pair(String server, String client) {}

  @BeforeClass
  public static void compile() {
    programs = new File(FOLDER.getRoot(), "programs").toString();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-nowarn",
                "-d",
                programs,
                "src/test/programs/app/Closing.java",
                "src/test/programs/app/Till.java",
                "src/test/programs/app/OpenRegistry.java",
                "src/test/programs/app/Desk.java");
    assertThat(status).isZero();
  }

  private static Run start(List<String> options, String... arguments) throws Exception {
    List<String> line =
        Stream.of(
                Stream.of(JAVA),
                options.stream(),
                Stream.of("-cp", programs, "app.Desk"),
                Stream.of(arguments))
            .flatMap(each -> each)
            .toList();
    return new Run(FOLDER, line);
  }

  private static Pair run(List<String> server, List<String> client) throws Exception {
    Run serving = start(server);
    try {
      String port = serving.awaitLine("port ").substring("port ".length());
      Run calling = start(client, port);
      try {
        assertThat(calling.awaitEnd()).as(calling.output()).isZero();
        assertThat(serving.awaitEnd()).as(serving.output()).isZero();
        return new Pair(serving.output(), calling.output());
      } finally {
        calling.kill();
      }
    } finally {
      serving.kill();
    }
  }

  private static void assertFitsAScreen(String output) {
    String summary = output.substring(output.indexOf(TITLE));
    assertThat(summary.lines().count()).as(summary).isLessThanOrEqualTo(23);
    assertThat(summary.lines()).allMatch(line -> line.length() < 80, "fits 80 columns");
  }

  @Test
  public void callsAreToldByPeerAndNetworkAndStockOnesWithTheReason() throws Exception {
    List<String> tcp = List.of(AGENT, "-Dkarmi.technologies=tcp");
    Pair both = run(tcp, tcp);
    assertThat(both.client())
        .containsPattern("(?m)^ +127\\.0\\.0\\.1 +tcp +[4-9]\\d +0$")
        .containsPattern("(?m)^ +127\\.0\\.0\\.1 +stock +3 +0  socket factories$")
        .containsPattern("(?m)^ +127\\.0\\.0\\.1 +stock +3 +0  no KaRMI, filter, sockets$")
        .containsPattern("(?m)^ +in the JDK's format +1 +2$")
        .contains("refused: objectsRefused 1\n")
        .contains("the agent at the other end, if it has none: KaRMI for 3 calls")
        .contains("exports without factories (karmi.tls for TLS): KaRMI for 3 calls")
        .containsPattern(
            "shared memory for 4\\d calls, if not a registry's: karmi-registry --ping\n")
        .contains("-Duka.format=uka, where every reader has KaRMI");
    assertThat(both.server())
        .containsPattern("(?m)^ +127\\.0\\.0\\.1 +tcp +\\d+ +[4-9]\\d$")
        .containsPattern("(?m)^ +127\\.0\\.0\\.1 +stock +0 +4  socket factories$")
        .containsPattern("(?m)^ +127\\.0\\.0\\.1 +stock +0 +2  a filter of its own$")
        .contains("exports that stayed on stock RMI", "app.Desk: socket factories")
        .contains("app.Desk: a filter of its own", "refused: nothing");
    assertFitsAScreen(both.client());
    assertFitsAScreen(both.server());
  }

  @Test
  public void anEndWithoutKarmiIsToldWithWhatItWouldGain() throws Exception {
    Pair mixed = run(List.of(AGENT), List.of());
    assertThat(mixed.server())
        .containsPattern("(?m)^ +127\\.0\\.0\\.1 +stock +0 +4[01]  no KaRMI at the other end$")
        .containsPattern("the agent at the other end: KaRMI for 4[01] calls");
    assertThat(mixed.client()).doesNotContain(TITLE);
    Pair other = run(List.of(), List.of(AGENT, "-Duka.format=uka"));
    assertThat(other.client())
        .containsPattern("(?m)^ +127\\.0\\.0\\.1 +stock +4[34] +0  no KaRMI at the other end$")
        .containsPattern("(?m)^ +in UKA's format +1 +2$");
    assertFitsAScreen(other.client());
  }

  @Test
  public void aProgramThatUsesNeitherIsToldSo() throws Exception {
    Run version = new Run(FOLDER, List.of(JAVA, AGENT, "-version"));
    assertThat(version.awaitEnd()).isZero();
    Run idle = new Run(FOLDER, List.of(JAVA, AGENT, "-cp", programs, "app.Desk", "1"));
    assertThat(idle.awaitEnd()).isEqualTo(1);
    assertThat(idle.output()).contains("no call between JVMs, and no object stream");
  }

  @Test
  public void whatAProgramDoesWhileTheJvmEndsCounts() throws Exception {
    Run closing = new Run(FOLDER, List.of(JAVA, AGENT, "-cp", programs, "app.Closing"));
    assertThat(closing.awaitEnd()).as(closing.output()).isZero();
    assertThat(closing.output()).containsPattern("(?m)^ +in the JDK's format +20,000 +0$");
  }
}
