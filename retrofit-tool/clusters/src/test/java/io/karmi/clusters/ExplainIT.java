package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * What {@code --explain} says of the products' jars, compared with what the agent does while they
 * run: of the classes that it names those that are loaded are rewired, and no others.
 */
public class ExplainIT {
  private static final Pattern REWIRED =
      Pattern.compile("karmi: (\\S+): .* -> io\\.karmi\\.uka\\.Rewired\\S+");
  private static final Pattern LOADED =
      Pattern.compile("^\\[[^]]*]\\S* *(\\S+) source: (?!jrt:).*");
  private static final Pattern OPENS =
      Pattern.compile("(?ms)^  opens or extends Object\\S+Stream:(.*?)(?=^  \\S|^\\S|^$)");

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static String explained;

  @BeforeClass
  public static void explain() throws Exception {
    Path jar = Path.of(System.getProperty("karmi.jar")).toAbsolutePath().normalize();
    Jvm.Result result =
        Jvm.java(
            "-cp",
            jar.toString(),
            "io.karmi.retrofit.cli.Explain",
            "--explain=all",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            "members.Member");
    assertThat(result.exit()).as("%s", result).isZero();
    explained = result.out();
  }

  /** Classes that are said to open streams. */
  private static Set<String> explainedClasses() {
    Set<String> names = new TreeSet<>();
    Matcher part = OPENS.matcher(explained);
    while (part.find()) {
      part.group(1)
          .lines()
          .filter(line -> line.startsWith("        "))
          .forEach(line -> names.add(line.strip()));
    }
    return names;
  }

  private static Set<String> matches(Pattern pattern, Stream<String> lines) {
    return lines
        .map(pattern::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void assertRunsAsExplained(String kind, String known) throws Exception {
    Path log = FOLDER.newFile().toPath();
    List<String> options = new ArrayList<>(List.of(Stage.AGENT.options.get(0) + "=trace"));
    options.add("-Xlog:class+load:file=" + log);
    Set<String> rewired;
    try (MemberJvm member = MemberJvm.start(options, kind, FreePort.any(), FreePort.any())) {
      member.ask("put");
      rewired = matches(REWIRED, member.output().stream());
    }
    Set<String> loaded = loaded(log);
    Set<String> expected = explainedClasses();
    expected.retainAll(loaded);
    assertThat(rewired).as("of the classes loaded").isNotEmpty().isEqualTo(expected);
    assertThat(explained).contains(known);
  }

  private static Set<String> loaded(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return matches(LOADED, lines);
    }
  }

  @Test
  public void tomcatsSessions() throws Exception {
    assertRunsAsExplained("tomcat", "Tomcat's replicated sessions (tomcat-catalina-ha");
  }

  @Test
  public void hazelcastsMaps() throws Exception {
    assertRunsAsExplained("hazelcast", "Hazelcast (hazelcast");
  }

  @Test
  public void jmetersEnginesHaveSocketFactoriesThatMayBeNull() {
    assertThat(explained)
        .contains("JMeter, distributed (ApacheJMeter_core")
        .containsPattern(
            "(?s)exports with socket factories:.*on KaRMI if both are null"
                + ".*org\\.apache\\.jmeter\\.engine\\.RemoteJMeterEngineImpl");
  }

  @Test
  public void ehcachesPeersHaveSocketFactories() {
    assertThat(explained)
        .contains("Ehcache's replication by RMI (ehcache")
        .containsPattern(
            "(?s)exports with socket factories:.*net\\.sf\\.ehcache\\.distribution\\.RMICachePeer");
  }
}
