package io.karmi.trust;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Certificates;
import io.karmi.kit.Jvm;
import java.util.ArrayList;
import java.util.List;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Who sends messages, who may, and what is read of them. */
public class MessageIdentityTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static Jvm start(String option, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(option, Correspondent.class.getName()));
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
  public void handlersKnowWhoSends() throws Exception {
    for (String technology : List.of("tcp", "uds", "shm")) {
      String option = "-Dkarmi.technologies=" + technology + ",tcp";
      try (Jvm server = start(option, "serve");
          Jvm client = start(option, "call", server.awaitLine("port "))) {
        List<String> seen = client.everything();
        String who = line(seen, "node ") + " 127.0.0.1 " + technology + " nobody";
        assertThat(line(seen, "who ")).isEqualTo(who);
        assertThat(line(seen, "outside ")).isEqualTo("none");
        assertThat(server.awaitLine("note by ")).isEqualTo(who);
      }
    }
  }

  @Test
  public void certificatesSayWhoSends() throws Exception {
    Certificates certificates = new Certificates(FOLDER.getRoot().toPath());
    certificates.make("server");
    certificates.make("client");
    String serving = "-Dkarmi.tls=" + certificates.node("server", "client", "server");
    String calling = "-Dkarmi.tls=" + certificates.node("client", "server", "client");
    try (Jvm server = start(serving, "serve");
        Jvm client = start(calling, "call", server.awaitLine("port "))) {
      assertThat(line(client.everything(), "who ")).endsWith(" 127.0.0.1 tcp CN=client");
    }
  }

  @Test
  public void refusedRequestsAreAccessExceptionsAndReadNothing() throws Exception {
    try (Jvm server = start("-Dkarmi.jmx=false", "serve", "guarded");
        Jvm client = start("-Dkarmi.jmx=false", "call", server.awaitLine("port "))) {
      List<String> seen = client.everything();
      assertThat(line(seen, "who "))
          .isEqualTo("threw java.rmi.AccessException: no answers for 127.0.0.1");
      assertThat(line(seen, "loud ")).startsWith("threw java.rmi.AccessException");
      assertThat(server.awaitLine("note by ")).contains(" 127.0.0.1 ");
      assertThat(server.lines()).doesNotContain("gadget");
    }
  }

  @Test
  public void strangersSendNothing() throws Exception {
    try (Jvm server = start("-Dkarmi.jmx=false", "serve");
        Jvm stranger = start("-Dkarmi.jmx=false", "stranger", server.awaitLine("port "))) {
      List<String> seen = stranger.everything();
      for (String what : List.of("who ", "loud ", "short ", "long ")) {
        assertThat(line(seen, what)).startsWith("threw java.rmi.");
      }
      assertThat(server.lines()).doesNotContain("gadget");
    }
  }

  @Test
  public void whereStrangersMaySendTheFilterOfTheJvmHolds() throws Exception {
    List<String> options =
        List.of(
            "-Dkarmi.messaging.open=true",
            "-Djdk.serialFilter=maxarray=100;!" + Correspondent.class.getName() + "$*",
            Correspondent.class.getName(),
            "serve");
    try (Jvm server = Jvm.start(options.toArray(new String[0]));
        Jvm stranger = start("-Dkarmi.jmx=false", "stranger", server.awaitLine("port "))) {
      List<String> seen = stranger.everything();
      assertThat(line(seen, "who ")).contains(" 127.0.0.1 tcp ");
      assertThat(line(seen, "loud ")).as("registered").contains("cannot be read");
      assertThat(line(seen, "short ")).contains("no answerer for");
      assertThat(line(seen, "long ")).contains("cannot be read");
      assertThat(server.lines()).doesNotContain("gadget");
    }
  }

  @Test
  public void serialFilterOfTheInterfaceHoldsForMessages() throws Exception {
    try (Jvm server = start("-Dkarmi.serialFilter=interface", "strict");
        Jvm client = start("-Dkarmi.jmx=false", "call", server.awaitLine("port "))) {
      List<String> seen = client.everything();
      assertThat(line(seen, "who ")).contains(" 127.0.0.1 ");
      assertThat(line(seen, "loud ")).startsWith("threw java.rmi.UnmarshalException");
      assertThat(server.awaitLine("note by ")).contains(" 127.0.0.1 ");
      assertThat(server.lines()).doesNotContain("gadget");
    }
  }
}
