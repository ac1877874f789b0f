package io.karmi.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.maven.shared.invoker.DefaultInvocationRequest;
import org.apache.maven.shared.invoker.DefaultInvoker;
import org.apache.maven.shared.invoker.InvocationRequest;
import org.apache.maven.shared.invoker.InvocationResult;
import org.apache.maven.shared.invoker.MavenInvocationException;

/**
 * A build of somebody who uses KaRMI: a folder with a pom, built by Maven without a network. Its
 * local repository has what the build of KaRMI itself has fetched, by symbolic links, and beside
 * that only what KaRMI publishes.
 */
final class Consumer {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int DEADLINE_SECONDS = 300;
  private static final String VERSION = match("<version>(.*?)</version>");

  /** Published artifacts with a jar: artifact, its jar, its pom; both below the root. */
  private static final List<List<String>> JARS =
      List.of(
          List.of(
              "karmi",
              "retrofit-tool/karmi/target/karmi.jar",
              "retrofit-tool/karmi/target/dependency-reduced-pom.xml"),
          List.of(
              "karmic",
              "karmi-stubgen/karmic/target/karmic-" + VERSION + ".jar",
              "karmi-stubgen/karmic/target/dependency-reduced-pom.xml"),
          List.of(
              "karmi-maven-plugin",
              "retrofit-tool/maven-plugin/target/karmi-maven-plugin-" + VERSION + ".jar",
              "retrofit-tool/maven-plugin/pom.xml"));

  private static final Map<String, String> POMS =
      Map.of("karmi-parent", "pom.xml", "karmi-bom", "scripts/bom/pom.xml");

  private final Path folder;
  private final Path repository;

  /** Makes the folder and the local repository in an empty one. */
  Consumer(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder.resolve("build"));
    repository = folder.resolve("repository");
    link(Path.of(System.getProperty("maven.fetched")), repository, "io");
    link(Path.of(System.getProperty("maven.fetched"), "io"), repository.resolve("io"), "karmi");
    for (List<String> each : JARS) {
      install(each.get(0), each.get(1), "jar");
      install(each.get(0), each.get(2), "pom");
    }
    for (Map.Entry<String, String> each : POMS.entrySet()) {
      install(each.getKey(), each.getValue(), "pom");
    }
  }

  private static void link(Path from, Path to, String but) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> all = Files.list(from)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        if (Files.isDirectory(each) && !each.getFileName().toString().equals(but)) {
          Files.createSymbolicLink(to.resolve(each.getFileName()), each.toAbsolutePath());
        }
      }
    }
  }

  private void install(String artifact, String file, String type) throws IOException {
    Path to = installed(artifact, type);
    Files.createDirectories(to.getParent());
    Files.copy(ROOT.resolve(file), to);
  }

  /** The first lines of code that docs/building.md shows behind these, with these themselves. */
  static String shown(String start) throws IOException {
    String page = Files.readString(ROOT.resolve("docs/building.md"));
    String code = page.substring(page.indexOf(start));
    return code.substring(code.indexOf('\n') + 1, code.indexOf("\n```") + 1);
  }

  /** Where a published file lies in the local repository. */
  Path installed(String artifact, String type) {
    return repository
        .resolve(Path.of("io", "karmi", artifact, VERSION))
        .resolve(artifact + "-" + VERSION + "." + type);
  }

  Path folder() {
    return folder;
  }

  Path repository() {
    return repository;
  }

  /**
   * Writes a file of the build. In a pom {@code @karmi@} stands for the version of KaRMI, and
   * {@code @name@} for that of the plugin {@code maven-name-plugin} that KaRMI's own build uses.
   */
  Consumer with(String file, String text) throws IOException {
    String filled = text.replace("@karmi@", VERSION);
    Matcher plugin = Pattern.compile("maven-(\\w+)-plugin</artifactId><version>@").matcher(text);
    while (plugin.find()) {
      String name = plugin.group(1);
      String version =
          match("<artifactId>maven-" + name + "-plugin</artifactId>\\s*<version>(.*?)</version>");
      filled = filled.replace("@" + name + "@", version);
    }
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, filled);
    return this;
  }

  private static String match(String pattern) {
    try {
      Matcher matcher =
          Pattern.compile(pattern, Pattern.DOTALL)
              .matcher(Files.readString(ROOT.resolve("pom.xml")));
      assertThat(matcher.find()).as(pattern).isTrue();
      return matcher.group(1);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs Maven; fails, with all that it has printed, if the build does. */
  void build(String goal) throws MavenInvocationException {
    StringBuffer printed = new StringBuffer();
    InvocationRequest request =
        new DefaultInvocationRequest()
            .setMavenHome(new File(System.getProperty("maven.home")))
            .setJavaHome(new File(System.getProperty("java.home")))
            .setMavenOpts("") // of the user
            .setBaseDirectory(folder.toFile())
            .setLocalRepositoryDirectory(repository.toFile())
            .setOffline(true)
            .setBatchMode(true)
            .setNoTransferProgress(true)
            .addArg(goal)
            .setOutputHandler(line -> printed.append(line).append('\n'));
    request.setTimeoutInSeconds(DEADLINE_SECONDS);
    InvocationResult result = new DefaultInvoker().execute(request);
    assertThat(result.getExecutionException()).as("%s", printed).isNull();
    assertThat(result.getExitCode()).as("%s", printed).isZero();
  }
}
