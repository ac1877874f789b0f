package io.karmi.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** Settings that are no numbers, in programs that work as without them. */
public class IgnoredSettingsTest {
  /** What is used instead of a server's settings. */
  private static final Map<String, String> INSTEAD =
      Map.of(
          "karmi.callTimeout", "0",
          "karmi.drainOnExit", "0",
          "karmi.bridge.maxObjects", "2048",
          "karmi.bridge.maxObjectsPerHost", "1792",
          "karmi.readTimeout", "7200000",
          "karmi.idleTimeout", "20000",
          "java.rmi.dgc.leaseValue", "600000",
          "sun.rmi.dgc.client.gcInterval", "0",
          "sun.rmi.dgc.server.gcInterval", "0");

  private static List<String> warnings(List<String> lines) {
    List<String> warnings = new ArrayList<>();
    for (String line : lines) {
      int end = line.indexOf(" is no whole number");
      if (end >= 0) {
        warnings.add(line.substring(line.lastIndexOf(' ', end - 1) + 1));
      }
    }
    return warnings;
  }

  private static String warning(String name, String instead) {
    return name + "=soon is no whole number and is ignored: " + instead + " is used";
  }

  @Test
  public void eachIsNamedOnceWithWhatIsUsedInstead() throws Exception {
    List<String> arguments = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    arguments.add("-Xmx64m");
    arguments.add("-XX:+UseG1GC"); // its heap may become all of that
    arguments.add("-Dkarmi.bridge=true");
    arguments.add("-Dsun.rmi.transport.connectionTimeout=20000");
    INSTEAD.forEach(
        (name, instead) -> {
          arguments.add("-D" + name + "=soon");
          expected.add(warning(name, instead));
        });
    arguments.add(Promises.class.getName());
    arguments.add("serve");
    try (Jvm server = Jvm.start(arguments.toArray(String[]::new))) {
      String port = server.awaitLine("port ");
      assertThat(call(port))
          .contains("number 7", "ended")
          .filteredOn(line -> line.contains("karmi.maxPendingCalls"))
          .singleElement()
          .asString()
          .endsWith(warning("karmi.maxPendingCalls", "1000"));
      server.awaitLinesWith("WARNING", expected.size());
      assertThat(warnings(server.lines())).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static List<String> call(String port) throws Exception {
    try (Jvm client =
        Jvm.start(
            "-Dkarmi.maxPendingCalls=soon", Promises.class.getName(), "call", port, "outcomes")) {
      return client.everything();
    }
  }
}
