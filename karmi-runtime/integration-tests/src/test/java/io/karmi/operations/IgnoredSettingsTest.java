package io.karmi.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

/** Settings that are no numbers, in programs that work as without them. */
public class IgnoredSettingsTest {
  private static final Pattern IGNORED =
      Pattern.compile("(\\S+)=soon is no.*; it is ignored: (\\S+) is used");

  /** What is used instead of a server's settings. */
  private static final Map<String, String> INSTEAD =
      Map.of(
          "karmi.callTimeout", "0",
          "karmi.drainOnExit", "0",
          "karmi.readTimeout", "7200000",
          "karmi.idleTimeout", "20000",
          "java.rmi.dgc.leaseValue", "600000",
          "sun.rmi.dgc.client.gcInterval", "0",
          "sun.rmi.dgc.server.gcInterval", "0");

  private static List<String> warnings(List<String> lines) {
    List<String> warnings = new ArrayList<>();
    for (String line : lines) {
      Matcher found = IGNORED.matcher(line);
      if (found.find()) {
        warnings.add(found.group(1) + " " + found.group(2));
      }
    }
    return warnings;
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
          expected.add(name + " " + instead);
        });
    arguments.add(Promises.class.getName());
    arguments.add("serve");
    try (Jvm server = Jvm.start(arguments.toArray(String[]::new))) {
      String port = server.awaitLine("port ");
      List<String> called = call(port);
      assertThat(called).contains("number 7", "ended");
      assertThat(warnings(called)).containsExactly("karmi.internal.maxPendingCalls 1000");
      server.awaitLinesWith("WARNING", expected.size());
      assertThat(warnings(server.lines())).containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  private static List<String> call(String port) throws Exception {
    try (Jvm client =
        Jvm.start(
            "-Dkarmi.internal.maxPendingCalls=soon",
            Promises.class.getName(),
            "call",
            port,
            "outcomes")) {
      return client.everything();
    }
  }
}
