package io.karmi.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Settings that are misspelt, in programs that start with them. */
public class MisspeltSettingsTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String MAIN = Settled.class.getName();
  private static final String REFUSED = "KaRMI does not start: ";

  private static Jvm registry;
  private static String port;

  @BeforeClass
  public static void serve() throws Exception {
    registry = Jvm.start("io.karmi.registry.KarmiRegistry", "0");
    String line = registry.awaitLine("karmi-registry listens on ");
    port = line.replaceAll("(?s).*?:(\\d+).*", "$1");
  }

  @AfterClass
  public static void end() {
    registry.close();
  }

  private static List<String> outputOf(String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.add(MAIN);
    all.add(port);
    try (Jvm program = Jvm.start(all.toArray(String[]::new))) {
      return program.everything();
    }
  }

  private static void assertNothingIsServed(List<String> lines, String reason) {
    String[] ways = {"lookup", "registry", "export", "filtered export", "stock lookup", "messages"};
    for (String way : ways) {
      assertThat(lines)
          .filteredOn(line -> line.startsWith(way + ": "))
          .as(way)
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("Exception").contains(reason));
    }
  }

  @Test
  public void wrongSecuritySettingStopsEachUseOfTheNode() throws Exception {
    List<String> lines = outputOf("-Dkarmi.serialFilter=Interface");
    assertNothingIsServed(
        lines, REFUSED + "karmi.serialFilter=Interface is none of its values: interface, none");
    assertThat(lines).contains("stream: done", "tried");
    assertThat(lines)
        .anyMatch(line -> line.startsWith("lookup: ConnectException"))
        .anyMatch(line -> line.startsWith("registry: ExportException"))
        .anyMatch(line -> line.startsWith("export: ExportException"));
  }

  @Test
  public void wrongNumberOfASecuritySettingStopsEachUseOfTheNode() throws Exception {
    String[] wrong = {
      "karmi.maxMessageBytes=10",
      "karmi.maxUnfinishedBytes=x",
      "karmi.maxBytesPerSecondPerHost=-1",
      "karmi.maxConnections=many",
      "karmi.maxConnectionsPerHost=0",
    };
    for (String each : wrong) {
      assertNothingIsServed(outputOf("-D" + each), REFUSED + each + " is none of its values");
    }
  }

  @Test
  public void misspeltNameOfASecuritySettingStopsEachUseOfTheNode() throws Exception {
    assertNothingIsServed(
        outputOf("-Dkarmi.tsl=/etc/node.tls"), REFUSED + "karmi.tsl is no setting of KaRMI");
  }

  @Test
  public void filterOfTheJvmThatIsNoneStopsEachUseOfTheNode() throws Exception {
    assertNothingIsServed(
        outputOf("-Djdk.serialFilter=maxdeph=100"),
        REFUSED + "jdk.serialFilter=maxdeph=100 is no filter: unknown limit: maxdeph");
    assertNothingIsServed(
        outputOf("-Djdk.serialfilter=maxdepth=100"),
        REFUSED + "jdk.serialfilter is no property of the JDK: correct the name");
    assertThat(outputOf("-Djdk.serialFilter=maxdepth=100"))
        .filteredOn(line -> line.contains(": done"))
        .hasSize(13);
  }

  @Test
  public void networkThatIsNotThereStopsEachUseOfTheNode() throws Exception {
    assertNothingIsServed(outputOf("-Dkarmi.technologies=TCP"), "there are tcp, uds, shm");
    assertNothingIsServed(outputOf("-Dkarmi.technologies="), "karmi.technologies=");
  }

  @Test
  public void networksOfWhichNoneCanBeUsedStopEachUseOfTheNode() throws Exception {
    Path tls = FOLDER.newFile().toPath();
    assertNothingIsServed(
        outputOf("-Dkarmi.technologies=uds", "-Dkarmi.tls=" + tls),
        "karmi.technologies leaves no network: uds is not used: karmi.tls=");
  }

  @Test
  public void registryNeedsANetworkWithPorts() throws Exception {
    assertThat(outputOf("-Dkarmi.technologies=uds"))
        .filteredOn(line -> line.startsWith("registry: "))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("add tcp to karmi.technologies"));
  }

  @Test
  public void unknownKeyOfATlsFileStopsEachUseOfTheNode() throws Exception {
    assertTlsFileIsRefused("protocol=TLSv1.3", "protocol is no key of this file");
    assertTlsFileIsRefused("checkhost=false", "checkhost is no key of this file");
  }

  @Test
  public void keyOfATlsFileWithTwoValuesStopsEachUseOfTheNode() throws Exception {
    for (String other : List.of("checkHost", "javax.net.ssl.checkHost")) {
      assertTlsFileIsRefused(
          "checkHost=true\n" + other + "=false", "checkHost has two values, true and false");
    }
  }

  private static void assertTlsFileIsRefused(String content, String reason) throws Exception {
    Path tls = FOLDER.newFile().toPath();
    Files.writeString(tls, content + "\nkeyStore=a\ntrustStore=b\n");
    List<String> lines = outputOf("-Dkarmi.tls=" + tls);
    for (String way : List.of("lookup", "registry", "export", "filtered export")) {
      assertThat(lines)
          .filteredOn(each -> each.startsWith(way + ": "))
          .as(way)
          .hasSize(2)
          .allSatisfy(each -> assertThat(each).contains(reason));
    }
  }

  @Test
  public void misspeltSettingOfStreamsStopsEachStream() throws Exception {
    List<String> lines = outputOf("-Duka.frmat=jdk");
    assertThat(lines)
        .filteredOn(line -> line.startsWith("stream: IllegalArgumentException"))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("uka.format"));
    assertNothingIsServed(lines, "uka.frmat is no setting of KaRMI");
  }

  @Test
  public void otherWrongSettingsAreIgnoredWithOneWarning() throws Exception {
    List<String> lines =
        outputOf(
            "-Dkarmi.idleTimout=5",
            "-Dkarmi.connectTimeout=-1",
            "-Dkarmi.uds.directory=/proc/nope");
    assertThat(lines).filteredOn(line -> line.contains(": done")).hasSize(13);
    assertThat(lines)
        .filteredOn(line -> line.contains("karmi.idleTimout"))
        .singleElement()
        .asString()
        .contains("the nearest one is karmi.idleTimeout");
    assertThat(lines)
        .filteredOn(line -> line.contains("karmi.connectTimeout=-1"))
        .singleElement()
        .asString()
        .contains("10000 is used");
    assertThat(lines)
        .filteredOn(line -> line.contains("/proc/nope"))
        .singleElement()
        .asString()
        .contains(
            "karmi.uds.directory=/proc/nope cannot be used, so neither can Unix-domain sockets",
            "NoSuchFileException",
            "Name a directory that only this user can enter");
  }

  @Test
  public void variablesOfTheEnvironmentMeanTheSame() throws Exception {
    try (Jvm program = Jvm.startBy(List.of("env", "KARMI_SERIAL_FILTER=true"), MAIN, port)) {
      assertNothingIsServed(program.everything(), "KARMI_SERIAL_FILTER=true is none of its values");
    }
    try (Jvm program =
        Jvm.startBy(List.of("env", "KARMI_CACHE=/tmp", "KARMI_HOME=/tmp"), MAIN, port)) {
      assertThat(program.everything()).filteredOn(line -> line.contains(": done")).hasSize(13);
    }
  }

  @Test
  public void commandShowsTheSettingsInForceAndTheirOrigins() throws Exception {
    String directory = FOLDER.newFolder().toString();
    try (Jvm served =
            Jvm.startBy(
                List.of("env", "KARMI_CALL_TIMEOUT=7000", "KARMI_JMX=false"),
                "-Dkarmi.jmx=auto",
                "-Dkarmi.keepAlive=soon",
                "-Dkarmi.uds.directory=" + directory + "/karmi",
                "-Dsun.rmi.transport.tcp.maxConnectionThreads=77",
                "io.karmi.registry.KarmiRegistry",
                "0");
        Jvm command =
            Jvm.start(
                "io.karmi.registry.KarmiRegistry",
                "--settings",
                "127.0.0.1:"
                    + served
                        .awaitLine("karmi-registry listens on ")
                        .replaceAll("(?s).*?:(\\d+).*", "$1"))) {
      assertThat(command.everything())
          .contains(
              "karmi.callTimeout = 7000 (environment variable KARMI_CALL_TIMEOUT)",
              "karmi.jmx = auto (property)",
              "karmi.keepAlive = 30000 (default)",
              "karmi.uds.directory = " + directory + "/karmi (property)",
              "karmi.maxConnections = 77 (property sun.rmi.transport.tcp.maxConnectionThreads)",
              "karmi.serialFilter = none (default)",
              "java.rmi.server.hostname = 127.0.0.1 (property)");
    }
  }
}
