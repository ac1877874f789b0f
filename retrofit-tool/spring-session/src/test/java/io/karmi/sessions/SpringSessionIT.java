package io.karmi.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.AgentJar;
import io.karmi.kit.Explained;
import io.karmi.kit.Jvm;
import io.karmi.kit.Recipe;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * An executable jar of Spring Boot with its sessions in a database, started as
 * docs/recipes/spring-session.md says: each JVM finds the sessions as the one before has left them.
 */
public class SpringSessionIT {
  private static final Path KARMI = AgentJar.path();
  private static final String STOCK = "java -jar shop.jar";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final HttpClient http = HttpClient.newHttpClient();

  /** What each session must show, by its cookie. */
  private final Map<String, String> sessions = new LinkedHashMap<>();

  private static Path path(String property) {
    return Path.of(System.getProperty(property)).toAbsolutePath().normalize();
  }

  /** The words of a command of the page behind its first one. */
  private List<String> arguments(String beginning) throws IOException {
    Map<String, Path> here =
        Map.of(
            "karmi/lib/karmi.jar", KARMI,
            "rewritten.jar", folder.getRoot().toPath().resolve("rewritten.jar"),
            "shop.jar", path("boot.jar"));
    List<String> words = Recipe.read("spring-session").command(beginning, here);
    return words.subList(1, words.size());
  }

  @Test
  public void eachProgramFindsTheSessionsOfTheOnesBefore() throws Exception {
    visit("ann", arguments(STOCK));
    visitAsExplained("bob", arguments("java -javaagent:karmi/lib/karmi.jar"));
    rewrite();
    visit("cyd", arguments("java -jar rewritten.jar"));
    visit("dee", arguments(STOCK));
    assertThat(sessions).hasSize(4);
  }

  /** What {@code --explain} says of a jar with jars inside, compared with what the agent does. */
  private void visitAsExplained(String name, List<String> command) throws Exception {
    Explained explained = Explained.of(KARMI, "-jar", path("boot.jar").toString());
    Path log = folder.newFile().toPath();
    List<String> options = new ArrayList<>(Explained.options(KARMI, log));
    assertThat(command.get(0)).isEqualTo("-javaagent:" + KARMI);
    options.addAll(command.subList(1, command.size()));
    String output = visit(name, options);
    assertThat(Explained.rewired(output.lines())).isNotEmpty().isEqualTo(explained.rewires(log));
    assertThat(explained.text())
        .contains("Spring Boot's executable jar (", "Spring Session (spring-session-core")
        .contains("stored sessions stay in the JDK's format");
    assertThat(output)
        .containsPattern("in the JDK's format +[1-9][0-9,]* +[1-9]")
        .doesNotContain("in UKA's format", "  calls ");
  }

  private void rewrite() throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-cp", KARMI.toString(), "io.karmi.retrofit.cli.KarmiRetrofit"));
    arguments.addAll(arguments("karmi/bin/karmi-retrofit"));
    Jvm.Result result = Jvm.java(arguments.toArray());
    assertThat(result.exit()).as(result.err()).isZero();
    Files.copy(KARMI, folder.getRoot().toPath().resolve("karmi.jar"));
  }

  /**
   * Runs the program, which shows and changes all sessions that there are, and begins another.
   *
   * @return all that it has printed
   */
  private String visit(String name, List<String> command) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add("-XX:TieredStopAtLevel=1"); // over before the second compiler pays
    arguments.add("-Djava.io.tmpdir=" + folder.getRoot());
    arguments.addAll(command);
    arguments.add("--spring.datasource.url=jdbc:h2:file:" + folder.getRoot() + "/sessions");
    try (Jvm program = Jvm.start(arguments.toArray(String[]::new))) {
      String address = "http://127.0.0.1:" + program.awaitLine("port ") + '/';
      for (Map.Entry<String, String> each : sessions.entrySet()) {
        String shown = get(address + "show", each.getKey()).body();
        assertThat(shown).as("read by %s", command).isEqualTo(each.getValue());
        each.setValue(get(address + "add/" + name, each.getKey()).body());
        assertThat(each.getValue()).contains("item=" + name).isNotEqualTo(shown);
      }
      HttpResponse<String> begun = get(address + "new/" + name, "");
      String cookie = begun.headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
      assertThat(begun.body()).contains("cart=" + name);
      assertThat(sessions.put(cookie, begun.body())).isNull();
      program.signal("TERM");
      return String.join("\n", program.everything());
    }
  }

  private HttpResponse<String> get(String address, String cookie) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofMinutes(2));
    if (!cookie.isEmpty()) {
      request.header("Cookie", cookie);
    }
    HttpResponse<String> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(address + " " + response.body()).isEqualTo(200);
    return response;
  }
}
