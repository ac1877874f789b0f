package io.karmi.sessions;

import static org.assertj.core.api.Assertions.assertThat;

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
  private static final Path KARMI = path("karmi.jar");
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
    visit("bob", arguments("java -javaagent:karmi/lib/karmi.jar"));
    rewrite();
    visit("cyd", arguments("java -jar rewritten.jar"));
    visit("dee", arguments(STOCK));
    assertThat(sessions).hasSize(4);
  }

  /** What {@code --explain} says of a jar with jars inside, which is what the above shows. */
  @Test
  public void explanationNamesTheStreamsOfTheSessions() throws Exception {
    Jvm.Result result =
        Jvm.java(
            "-cp",
            KARMI,
            "io.karmi.retrofit.cli.Explain",
            "--explain=all",
            "-jar",
            path("boot.jar"));
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("Spring Boot's executable jar (", "Spring Session (spring-session-core")
        .containsPattern(
            "(?s)ObjectOutputStream:.*org.springframework.core.serializer.DefaultSerializer"
                + ".*opens or extends ObjectInputStream:"
                + ".*org.springframework.core.ConfigurableObjectInputStream");
  }

  private void rewrite() throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-cp", KARMI.toString(), "io.karmi.retrofit.cli.KarmiRetrofit"));
    arguments.addAll(arguments("karmi/bin/karmi-retrofit"));
    Jvm.Result result = Jvm.java(arguments.toArray());
    assertThat(result.exit()).as(result.err()).isZero();
    Files.copy(KARMI, folder.getRoot().toPath().resolve("karmi.jar"));
  }

  /** Runs the program, which shows and changes all sessions that there are, and begins another. */
  private void visit(String name, List<String> command) throws Exception {
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
      assertThat(program.ended()).as("%s", program.lines()).isTrue();
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
