package io.karmi.trust;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Certificates;
import io.karmi.kit.Jvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Who calls, and who may. */
public class IdentityTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String MAIN = Identified.class.getName();

  private static Jvm start(String option, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(option, MAIN));
    all.addAll(List.of(arguments));
    return Jvm.start(all.toArray(new String[0]));
  }

  private static String line(List<String> lines, String beginning) {
    return lines.stream()
        .filter(each -> each.startsWith(beginning))
        .findFirst()
        .map(each -> each.substring(beginning.length()))
        .orElseThrow(() -> new AssertionError("no '" + beginning + "': " + lines));
  }

  @Test
  public void methodsAndInterceptorsKnowWhoCalls() throws Exception {
    try (Jvm server = start("-Dkarmi.technologies=tcp", "serve")) {
      assertThat(server.awaitLine("outside ")).isEqualTo("none");
      String serverNode = server.awaitLine("node ");
      try (Jvm client = start("-Dkarmi.technologies=tcp", "call", server.awaitLine("port "))) {
        List<String> seen = client.everything();
        String clientNode = line(seen, "node ");
        String who = clientNode + " 127.0.0.1 tcp nobody";
        assertThat(line(seen, "who ")).isEqualTo(who);
        assertThat(line(seen, "back "))
            .isEqualTo(serverNode + " 127.0.0.1 tcp nobody asked by " + who);
        assertThat(line(seen, "inside "))
            .startsWith(serverNode + " ")
            .contains(" local nobody inside " + who);
        assertThat(line(seen, "secret ")).isEqualTo("Loud");
        assertThat(line(seen, "stock ")).isEqualTo("1");
      }
      server.awaitLinesWith("gadget", 1);
      server.awaitLinesWith("filtered exported", 1);
      server.awaitLinesWith("intercepted whoAmI()Ljava/lang/String; true", 1);
    }
  }

  @Test
  public void technologyIsThatByWhichTheCallHasCome() throws Exception {
    try (Jvm server = start("-Dkarmi.technologies=uds,tcp", "serve");
        Jvm client = start("-Dkarmi.technologies=uds,tcp", "call", server.awaitLine("port "))) {
      assertThat(line(client.everything(), "who ")).endsWith(" uds nobody");
    }
  }

  @Test
  public void certificatesSayWhoCallsInBothDirections() throws Exception {
    Certificates certificates = new Certificates(FOLDER.getRoot().toPath());
    certificates.make("server");
    certificates.make("client");
    String serving = "-Dkarmi.tls=" + certificates.node("server", "client", "server");
    String calling = "-Dkarmi.tls=" + certificates.node("client", "server", "client");
    try (Jvm server = start(serving, "serve");
        Jvm client = start(calling, "call", server.awaitLine("port "))) {
      List<String> seen = client.everything();
      assertThat(line(seen, "who ")).endsWith(" 127.0.0.1 tcp CN=client");
      assertThat(line(seen, "back "))
          .contains(" 127.0.0.1 tcp CN=server asked by ")
          .endsWith(" 127.0.0.1 tcp CN=client");
    }
  }

  @Test
  public void refusedCallIsAnAccessExceptionAndReadsNothing() throws Exception {
    try (Jvm server = start("-Dkarmi.jmx=false", "serve", "guarded");
        Jvm client = start("-Dkarmi.jmx=false", "call", server.awaitLine("port "))) {
      List<String> seen = client.everything();
      assertThat(line(seen, "secret "))
          .isEqualTo(
              "threw java.rmi.AccessException: no secrets for 127.0.0.1: "
                  + "secret(Ljava/lang/Object;)Ljava/lang/Object;");
      assertThat(line(seen, "undecided "))
          .as("an authorizer that fails")
          .startsWith("threw java.rmi.AccessException")
          .contains("could not be decided")
          .doesNotContain("on purpose");
      assertThat(line(seen, "after ")).contains(" 127.0.0.1 ");
      assertThat(line(seen, "inside ")).contains(" local nobody inside ");
      assertThat(server.lines()).doesNotContain("gadget");
    }
  }

  @Test
  public void whereCallsAreAuthorizedStockRmiServesNobody() throws Exception {
    try (Jvm server = start("-Dkarmi.jmx=false", "serve", "guarded");
        Jvm client = start("-Dkarmi.jmx=false", "call", server.awaitLine("port "))) {
      assertThat(line(client.everything(), "stock ")).startsWith("threw java.rmi.");
      assertThat(line(server.lines(), "filtered ")).contains("CallAuthorizer");
    }
  }
}
