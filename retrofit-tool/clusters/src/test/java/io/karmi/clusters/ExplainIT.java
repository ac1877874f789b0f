package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Explained;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * What {@code --explain} says of the products' jars, compared with what the agent does while they
 * run: of the classes that it names those that are loaded are rewired, and no others. The summary
 * at the end has the streams, and no call. {@code JMeterIT} does the same for calls.
 */
public class ExplainIT {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static Explained explained;

  @BeforeClass
  public static void explain() throws Exception {
    explained = Explained.of(Stage.jar(), "-cp", Jvm.classPath(), "members.Member");
  }

  private static void assertRunsAsExplained(String kind, String known) throws Exception {
    Path log = FOLDER.newFile().toPath();
    List<String> options = Explained.options(Stage.jar(), log);
    String output;
    try (MemberJvm member = MemberJvm.start(options, kind, FreePort.any(), FreePort.any())) {
      member.ask("put");
      member.ask("format"); // serializes a value
      output = member.exit();
    }
    assertThat(Explained.rewired(output.lines()))
        .as("of the classes loaded")
        .isNotEmpty()
        .isEqualTo(explained.rewires(log));
    assertThat(explained.text()).contains(known, "KaRMI's, which write the JDK's format");
    assertThat(output)
        .containsPattern("in the JDK's format +[1-9][0-9,]* ")
        .doesNotContain("in UKA's format", "  calls ", "stayed on stock RMI");
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
  public void ehcachesPeersHaveSocketFactories() {
    assertThat(explained.text())
        .contains("Ehcache's replication by RMI (ehcache")
        .containsPattern(
            "(?s)exports with socket factories:.*net\\.sf\\.ehcache\\.distribution\\.RMICachePeer");
  }
}
