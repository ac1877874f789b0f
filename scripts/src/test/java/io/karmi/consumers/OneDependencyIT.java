package io.karmi.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A project whose one dependency is {@code io.karmi:karmi}, and the programs of the pages. */
public class OneDependencyIT {
  private static final Pattern PROGRAM =
      Pattern.compile("```java\n((?:(?!```).)*?\\bpublic class (\\w+).*?)```", Pattern.DOTALL);

  private static final String POM =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>app</groupId>
        <artifactId>readme</artifactId>
        <version>1</version>
        <properties>
          <maven.compiler.release>17</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
        </properties>
        <dependencyManagement>
          <dependencies>
            <dependency>
              <groupId>io.karmi</groupId>
              <artifactId>karmi-bom</artifactId>
              <version>@karmi@</version>
              <type>pom</type>
              <scope>import</scope>
            </dependency>
          </dependencies>
        </dependencyManagement>
        <dependencies>
          <dependency><groupId>io.karmi</groupId><artifactId>karmi</artifactId></dependency>
        </dependencies>
        <build>
          <plugins>
            <plugin><artifactId>maven-resources-plugin</artifactId><version>@resources@</version></plugin>
            <plugin><artifactId>maven-compiler-plugin</artifactId><version>@compiler@</version></plugin>
            <plugin>
              <artifactId>maven-dependency-plugin</artifactId><version>@dependency@</version>
              <executions>
                <execution>
                  <phase>compile</phase>
                  <goals><goal>build-classpath</goal></goals>
                  <configuration><outputFile>target/path</outputFile></configuration>
                </execution>
              </executions>
            </plugin>
          </plugins>
        </build>
      </project>
      """;

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static Consumer consumer;
  private static String classes;

  @BeforeClass
  public static void compile() throws Exception {
    consumer = new Consumer(FOLDER.getRoot().toPath()).with("pom.xml", POM);
    assertThat(addPrograms("README.md")).as("programs in README.md").isPositive();
    assertThat(addPrograms("docs/messaging.md")).as("programs in messaging.md").isPositive();
    assertThat(addPrograms("docs/channels.md")).as("programs in channels.md").isPositive();
    consumer.build("compile");
    classes = consumer.folder().resolve("target/classes").toString();
  }

  /** Makes sources of the programs that a page shows; returns how many these are. */
  private static int addPrograms(String page) throws Exception {
    Matcher programs = PROGRAM.matcher(Files.readString(Path.of("..").resolve(page)));
    int found = 0;
    while (programs.find()) {
      consumer.with("src/main/java/" + programs.group(2) + ".java", programs.group(1));
      found++;
    }
    return found;
  }

  @Test
  public void theOneDependencyBringsNoOther() throws Exception {
    assertThat(consumer.folder().resolve("target/path"))
        .hasContent(consumer.installed("karmi", "jar").toString());
  }

  /** By its name in a repository, too, the jar is put on the boot class path before all else. */
  @Test
  public void theJarOfTheRepositoryIsItsOwnAgent() throws Exception {
    Jvm.Result result =
        Jvm.java(
            "-javaagent:" + consumer.installed("karmi", "jar"),
            "-Xlog:cds",
            "-cp",
            classes,
            "Shop");
    assertThat(result.err()).contains("ArrayIndexOutOfBoundsException").doesNotContain("karmi:");
    assertThat(result.out()).doesNotContain("Sharing is only supported");
  }

  @Test
  public void programWithoutTheAgentIsToldSo() throws Exception {
    String port = String.valueOf(FreePort.any());
    String path = classes + java.io.File.pathSeparator + consumer.installed("karmi", "jar");
    Path jdk = Path.of(System.getProperty("java.home"));
    try (Jvm open = Jvm.start(jdk, path, "Shop", "open", port)) {
      open.awaitLine("open");
      assertThat(Jvm.java("-cp", path, "Shop", "visit", port).err())
          .contains("neither a stub of KaRMI's", "-javaagent:karmi.jar");
    }
  }
}
