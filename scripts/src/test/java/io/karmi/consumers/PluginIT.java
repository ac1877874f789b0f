package io.karmi.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The goals of {@code karmi-maven-plugin} in a build of two modules: one has a remote interface,
 * the other one a program. docs/building.md shows the lines, which are in the pom of the parent.
 */
public class PluginIT {
  private static final String PARENT =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>app</groupId>
        <artifactId>parent</artifactId>
        <version>1</version>
        <packaging>pom</packaging>
        <modules><module>api</module><module>program</module></modules>
        <properties>
          <maven.compiler.release>17</maven.compiler.release>
          <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          <karmi.version>@karmi@</karmi.version>
          <skipTests>true</skipTests>
        </properties>
        <build>
          <pluginManagement>
            <plugins>
              <plugin><artifactId>maven-resources-plugin</artifactId><version>@resources@</version></plugin>
              <plugin><artifactId>maven-compiler-plugin</artifactId><version>@compiler@</version></plugin>
              <plugin><artifactId>maven-surefire-plugin</artifactId><version>@surefire@</version></plugin>
              <plugin><artifactId>maven-jar-plugin</artifactId><version>@jar@</version></plugin>
            </plugins>
          </pluginManagement>
          <plugins>
            %s
          </plugins>
        </build>
      </project>
      """;

  private static final String API =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <parent><groupId>app</groupId><artifactId>parent</artifactId><version>1</version></parent>
        <artifactId>api</artifactId>
      </project>
      """;

  private static final String CLOCK =
      """
      package api;
      public interface Clock extends java.rmi.Remote {
        long time() throws java.rmi.RemoteException;
      }
      """;

  private static final String PROGRAM =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <parent><groupId>app</groupId><artifactId>parent</artifactId><version>1</version></parent>
        <artifactId>program</artifactId>
        <dependencies>
          <dependency><groupId>app</groupId><artifactId>api</artifactId><version>1</version></dependency>
        </dependencies>
        <build>
          <plugins>
            <plugin>
              <groupId>io.karmi</groupId><artifactId>karmi-maven-plugin</artifactId>
              <version>${karmi.version}</version>
              <executions>
                <execution>
                  <id>fat</id>
                  <goals><goal>retrofit</goal></goals>
                  <configuration>
                    <input>${basedir}/fat.jar</input><classifier>fat</classifier>
                  </configuration>
                </execution>
              </executions>
            </plugin>
          </plugins>
        </build>
      </project>
      """;

  private static final String MAIN =
      """
      package program;
      import java.io.*;
      import java.rmi.server.UnicastRemoteObject;
      public class Main implements Alarm, api.Clock {
        public long time() { return 42; }
        public void set(long time) {}
        public static void main(String[] arguments) throws Exception {
          try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
            out.writeObject("text");
            System.out.println("stream of KaRMI's " + out.getClass().getName().startsWith("io.karmi."));
          }
          Object stub = UnicastRemoteObject.exportObject(new Main(), 0);
          System.out.println("time " + ((api.Clock) stub).time());
          System.out.println("proxy " + java.lang.reflect.Proxy.isProxyClass(stub.getClass()));
          System.exit(0);
        }
      }
      """;

  private static final String ALARM =
      """
      package program;
      public interface Alarm extends java.rmi.Remote {
        void set(long time) throws java.rmi.RemoteException;
      }
      """;

  private static final String STOCK = "stream of KaRMI's false\ntime 42\nproxy true\n";

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static Path target;
  private static Path api;

  @BeforeClass
  public static void build() throws Exception {
    Consumer consumer =
        new Consumer(FOLDER.getRoot().toPath())
            .with("pom.xml", PARENT.formatted(Consumer.shown("```xml\n<plugin>")))
            .with("api/pom.xml", API)
            .with("api/src/main/java/api/Clock.java", CLOCK)
            .with("program/pom.xml", PROGRAM)
            .with("program/src/main/java/program/Main.java", MAIN)
            .with("program/src/main/java/program/Alarm.java", ALARM);
    target = consumer.folder().resolve("program/target");
    api = consumer.folder().resolve("api/target/api-1.jar");
    fatJar(consumer.folder().resolve("program/fat.jar"));
    consumer.build("package");
  }

  /** A jar with a stored jar inside, in the layout of Spring Boot. */
  private static void fatJar(Path file) throws Exception {
    Path inner = file.resolveSibling("inner.jar");
    Path classes = FOLDER.newFolder("inner").toPath();
    Path source = classes.resolve("Inner.java");
    Files.writeString(
        source,
        """
        public class Inner {
          public static Object out(java.io.OutputStream to) throws Exception {
            return new java.io.ObjectOutputStream(to);
          }
        }
        """);
    int status =
        javax.tools.ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), source.toString());
    assertThat(status).isZero();
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(inner))) {
      jar.putNextEntry(new ZipEntry("Inner.class"));
      jar.write(Files.readAllBytes(classes.resolve("Inner.class")));
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Start-Class", "Inner");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      byte[] bytes = Files.readAllBytes(inner);
      ZipEntry entry = new ZipEntry("BOOT-INF/lib/inner.jar");
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(bytes.length);
      CRC32 sum = new CRC32();
      sum.update(bytes);
      entry.setCrc(sum.getValue());
      jar.putNextEntry(entry);
      jar.write(bytes);
    }
  }

  private static String run(Object... arguments) throws Exception {
    Jvm.Result result = Jvm.java(arguments);
    assertThat(result.err()).isEmpty();
    return result.out().replace("\r", "");
  }

  private static String path(Path... entries) {
    StringBuilder path = new StringBuilder();
    for (Path each : entries) {
      path.append(path.isEmpty() ? "" : java.io.File.pathSeparator).append(each);
    }
    return path.toString();
  }

  @Test
  public void stubsOfTheModuleAndOfItsDependenciesAreAmongItsClasses() {
    assertThat(target.resolve("classes/program/Alarm_KStub.class")).isRegularFile();
    assertThat(target.resolve("classes/api/Clock_KStub.class")).isRegularFile();
    assertThat(target.resolve("classes/api/Clock_KSkel.class")).isRegularFile();
  }

  @Test
  public void theRewrittenJarRunsOnKarmiWithoutAnAgent() throws Exception {
    assertThat(run("-cp", path(target.resolve("program-1.jar"), api), "program.Main"))
        .as("the module's own jar")
        .isEqualTo(STOCK);
    Path rewritten = target.resolve("program-1-karmi.jar");
    Path karmi = target.resolve("karmi.jar");
    assertThat(run("-cp", path(rewritten, api, karmi), "program.Main"))
        .isEqualTo("stream of KaRMI's true\ntime 42\nproxy false\n");
  }

  @Test
  public void jarsInsideOfAJarAreRewrittenAndStayStored() throws Exception {
    try (JarFile jar = new JarFile(target.resolve("program-1-fat.jar").toFile())) {
      ZipEntry inner = jar.getEntry("BOOT-INF/lib/inner.jar");
      assertThat(inner.getMethod()).isEqualTo(ZipEntry.STORED);
      Path copy = FOLDER.newFile("inner.jar").toPath();
      Files.write(copy, jar.getInputStream(inner).readAllBytes());
      try (JarFile opened = new JarFile(copy.toFile())) {
        byte[] bytes = opened.getInputStream(opened.getEntry("Inner.class")).readAllBytes();
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).contains("io/karmi/uka/");
      }
    }
  }

  @Test
  public void thePatchOfTheBootPathRunsTheModulesOwnJarOnKarmi() throws Exception {
    String arguments = "@" + target.resolve("karmi-boot/java.args");
    assertThat(run(arguments, "-cp", path(target.resolve("program-1.jar"), api), "program.Main"))
        .isEqualTo("stream of KaRMI's false\ntime 42\nproxy false\n");
  }
}
