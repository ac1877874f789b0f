package io.karmi.retrofit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.cli.Version;
import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.File;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code -javaagent} in JVMs of its own: who sees KaRMI, and what is said. */
public class AgentTest {
  @ClassRule public static final TemporaryFolder SHARED = new TemporaryFolder();

  /** How long some JDKs wait for an agent that is called, if it is told to end meanwhile. */
  private static final long A_MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private static final String UKA_OUT = "io.karmi.uka.RewiredObjectOutputStream";
  private static final String MAIN =
      """
      package app;
      import java.io.*;
      public class Main {
        public static void main(String[] args) throws Exception {
          ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream());
          System.out.println(out.getClass().getName() + " " + out.getClass().getClassLoader());
        }
      }
      """;

  private static Path karmi;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @BeforeClass
  public static void buildKarmi() throws Exception {
    karmi = Jars.karmi(SHARED.getRoot().toPath());
  }

  private Path compile(String directory, String... units) {
    return Sources.compile(folder.getRoot().toPath().resolve(directory), List.of(), units);
  }

  private static void printed(Jvm.Result result, String out) {
    assertThat(result.err()).isEmpty();
    assertThat(result.out().replace("\r\n", "\n")).isEqualTo(out);
    assertThat(result.exit()).isZero();
  }

  @Test
  public void aProgramOnTheClassPathIsRewiredSilently() throws Exception {
    Path classes = compile("classes", MAIN);
    printed(Jvm.java("-javaagent:" + karmi, "-cp", classes, "app.Main"), UKA_OUT + " null\n");
  }

  @Test
  public void rmiAloneMarshalsInTheJdksFormatUnlessToldOtherwise() throws Exception {
    Path classes =
        compile(
            "classes",
            "package app; public class Main { public static void main(String[] args) {"
                + " System.out.println(System.getProperty(\"karmi.format\")); } }");
    String agent = "-javaagent:" + karmi;
    printed(Jvm.java(agent, "-cp", classes, "app.Main"), "null\n");
    printed(Jvm.java(agent + "=only=rmi", "-cp", classes, "app.Main"), "jdk\n");
    printed(
        Jvm.java(agent + "=only=rmi", "-Dkarmi.format=uka", "-cp", classes, "app.Main"), "uka\n");
  }

  @Test
  public void karmiIsNotLoadedTwiceWhenItIsOnTheClassPathToo() throws Exception {
    Path classes = compile("classes", MAIN);
    printed(
        Jvm.java("-javaagent:" + karmi, "-cp", classes + File.pathSeparator + karmi, "app.Main"),
        UKA_OUT + " null\n");
  }

  @Test
  public void aRenamedJarPutsItselfOnTheBootClassPath() throws Exception {
    Path renamed = folder.getRoot().toPath().resolve("other name.jar");
    Files.copy(karmi, renamed);
    Path classes = compile("classes", MAIN);
    Jvm.Result result = Jvm.java("-javaagent:" + renamed, "-cp", classes, "app.Main");
    assertThat(result.out()).isEqualTo(UKA_OUT + " null\n");
    assertThat(result.exit()).isZero();
  }

  @Test
  public void anOtherVersionThatRunsInPlaceOfARenamedJarIsTold() throws Exception {
    Path lib = folder.newFolder("lib").toPath();
    Path renamed = Files.copy(karmi, lib.resolve("karmi-2.jar"));
    Path beside = Files.copy(karmi, lib.resolve("karmi.jar"));
    Path classes = compile("classes", MAIN);
    String path = classes + File.pathSeparator + beside;
    printed(
        Jvm.java("-javaagent:" + renamed, "-cp", path, "app.Main"), UKA_OUT + " null\n"); // alike
    try (FileSystem jar = FileSystems.newFileSystem(beside)) {
      Files.writeString(jar.getPath("io/karmi/cli/commit"), "0123456789ab");
    }
    Jvm.Result result = Jvm.java("-javaagent:" + renamed, "-cp", path, "app.Main");
    assertThat(result.err())
        .startsWith("karmi: unknown, commit " + Version.commit() + " of the agent " + renamed)
        .contains("does not run, but unknown, commit 0123456789ab of the karmi.jar beside it")
        .hasLineCount(1);
    assertThat(result.out()).isEqualTo(UKA_OUT + " null\n");
  }

  @Test
  public void aNamedModuleIsRewired() throws Exception {
    Path module = compile("module", "module app { }", MAIN);
    printed(
        Jvm.java("-javaagent:" + karmi, "-p", module, "-m", "app/app.Main"), UKA_OUT + " null\n");
  }

  @Test
  public void aLoaderThatHidesItsParentsFindsKarmi() throws Exception {
    Path plugin = compile("plugin", MAIN);
    Path host =
        compile(
            "host",
            """
            package host;
            import java.net.*;
            import java.nio.file.*;
            public class Host {
              static class Hiding extends URLClassLoader {
                Hiding(URL url) { super(new URL[] {url}, Host.class.getClassLoader()); }
                @Override protected Class<?> loadClass(String name, boolean resolve)
                    throws ClassNotFoundException {
                  if (name.startsWith("java.")) return super.loadClass(name, resolve);
                  Class<?> loaded = findLoadedClass(name);
                  return loaded == null ? findClass(name) : loaded;
                }
              }
              public static void main(String[] args) throws Exception {
                URL url = Path.of(args[0]).toUri().toURL();
                ClassLoader loader = new Hiding(url);
                loader.loadClass("app.Main").getMethod("main", String[].class)
                    .invoke(null, (Object) new String[0]);
                try {
                  loader.loadClass("io.karmi.Nothing");
                } catch (ClassNotFoundException e) {
                  System.out.println("no " + e.getMessage());
                }
              }
            }
            """);
    printed(
        Jvm.java("-javaagent:" + karmi, "-cp", host, "host.Host", plugin),
        UKA_OUT + " null\nno io.karmi.Nothing\n");
  }

  @Test
  public void excludedClassesStay() throws Exception {
    Path classes = compile("classes", MAIN);
    printed(
        Jvm.java("-javaagent:" + karmi + "=exclude=app.*", "-cp", classes, "app.Main"),
        "java.io.ObjectOutputStream null\n");
  }

  @Test
  public void traceNamesEachChange() throws Exception {
    Path classes = compile("classes", MAIN);
    Jvm.Result result = Jvm.java("-javaagent:" + karmi + "=trace", "-cp", classes, "app.Main");
    assertThat(result.err())
        .contains("karmi: app.Main: new java.io.ObjectOutputStream -> " + UKA_OUT);
    assertThat(result.exit()).isZero();
  }

  @Test
  public void aWrongOptionEndsTheJvmWithOneLine() throws Exception {
    Path classes = compile("classes", MAIN);
    Path renamed = Files.copy(karmi, folder.getRoot().toPath().resolve("renamed.jar"));
    List<String> refusals = new ArrayList<>();
    for (String agent :
        List.of(
            karmi + "=trce",
            renamed + "=trce",
            karmi + "=only=serialization,only=rmi",
            karmi + "=trace=false",
            karmi + "\n-javaagent:" + karmi + "=trce")) {
      refusals.add(refusal(agent, classes));
    }
    String unknown =
        "karmi: agent options: unknown option 'trce'; there are only, include, exclude,"
            + " weave, no-weave, trace and summary";
    assertThat(refusals.subList(0, 2)).containsOnly(unknown);
    assertThat(refusals.get(4)).as("of an agent that is given twice").isEqualTo(unknown);
    assertThat(refusals.get(2)).contains("only=serialization and only=rmi contradict each other");
    assertThat(refusals.get(3)).contains("trace takes no value");
  }

  /** What a JVM that does not start says: one line. */
  private static String refusal(String agent, Path classes) throws Exception {
    List<Object> command = new ArrayList<>(List.of(("-javaagent:" + agent).split("\n")));
    command.addAll(List.of("-cp", classes, "app.Main"));
    long start = System.nanoTime();
    Jvm.Result result = Jvm.java(command.toArray());
    assertThat(System.nanoTime() - start).as("it does not wait").isLessThan(A_MINUTE_NANOS);
    assertThat(result.out()).isEmpty();
    assertThat(result.exit()).isEqualTo(1);
    List<String> lines = told(result);
    assertThat(lines).hasSize(1);
    return lines.get(0);
  }

  private static List<String> told(Jvm.Result result) {
    return result.err().lines().filter(line -> !line.contains("Sharing is only")).toList();
  }

  @Test
  public void anAgentThatIsGivenTwiceIsToldIfItsOptionsDiffer() throws Exception {
    Path classes = compile("classes", MAIN);
    Path copy = Files.copy(karmi, folder.getRoot().toPath().resolve("copy.jar"));
    String first = "-javaagent:" + karmi + "=only=rmi,exclude=b.*,exclude=a.*";
    Jvm.Result others =
        Jvm.java(
            first,
            "-javaagent:" + copy,
            "-javaagent:" + karmi + "=trace",
            "-cp",
            classes,
            "app.Main");
    assertThat(others.out()).startsWith("java.io.ObjectOutputStream");
    assertThat(told(others))
        .containsExactly(
            "karmi: the agent runs already, with 'only=rmi,exclude=a.*,exclude=b.*'; once more with"
                + " no options it has no effect. Give it once, with all options",
            "karmi: the agent runs already, with 'only=rmi,exclude=a.*,exclude=b.*'; once more with"
                + " 'trace' it has no effect. Give it once, with all options");
    String same = "-javaagent:" + copy + "=exclude=a.*,exclude=b.*,no-weave,only=rmi";
    assertThat(told(Jvm.java(first, same, "-cp", classes, "app.Main"))).isEmpty();
  }

  @Test
  public void aWrongOptionOfAnAttachmentLeavesTheJvmAsItIs() throws Exception {
    Jvm.Result result = attached(karmi, "trce");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).contains("not attached", "java.io.ObjectOutputStream null");
    assertThat(result.err()).contains("karmi: agent options: unknown option 'trce'");
    assertThat(attached(karmi, "trace").out()).contains(UKA_OUT + " null");
  }

  @Test
  public void theJdksToolsOnTheApplicationsLoaderStayAsTheyAre() throws Exception {
    Path script = folder.getRoot().toPath().resolve("script.jsh");
    Files.writeString(
        script,
        """
        Object stream = new ObjectOutputStream(OutputStream.nullOutputStream());
        System.out.println("made by a snippet: " + stream.getClass().getName());
        int wrong = Integer.parseInt("x");
        /exit
        """);
    Jvm.Result result =
        Jvm.java(
            "-Djava.util.prefs.userRoot=" + folder.getRoot(),
            "-m",
            "jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider",
            "-R-javaagent:" + karmi + "=trace",
            "-R-Duka.format=uka", // which jshell itself could not read
            script);
    assertThat(result.out()).contains("made by a snippet: " + UKA_OUT);
    assertThat(result.out() + result.err())
        .contains("java.lang.NumberFormatException")
        .doesNotContain("karmi: jdk.");
  }

  @Test
  public void anExecutableJarMayBringTheAgentAlong() throws Exception {
    Path classes = compile("classes", MAIN);
    Files.copy(karmi, folder.getRoot().toPath().resolve("karmi.jar"));
    Path app =
        Jars.of(
            folder.getRoot().toPath().resolve("app.jar"),
            Jars.manifest(
                "Main-Class", "app.Main",
                "Class-Path", "karmi.jar",
                "Launcher-Agent-Class", "io.karmi.retrofit.agent.Agent"),
            classes);
    Jvm.Result result = Jvm.java("-Xshare:off", "-jar", app);
    printed(result, UKA_OUT + " null\n");
  }

  @Test
  public void aRunningJvmIsRewiredFromThenOn() throws Exception {
    Jvm.Result result = attached(karmi, "");
    assertThat(result.out()).as(result.err()).isEqualTo(UKA_OUT + " null\n");
  }

  /** Runs a JVM that attaches the agent to itself before it runs the program. */
  private Jvm.Result attached(Path jar, String options) throws Exception {
    Path classes = compile("classes", MAIN);
    Path attach =
        compile(
            "attach",
            """
            import com.sun.tools.attach.VirtualMachine;
            public class Attach {
              public static void main(String[] args) throws Exception {
                VirtualMachine vm = VirtualMachine.attach(ProcessHandle.current().pid() + "");
                try {
                  vm.loadAgent(args[0], args[1]);
                } catch (com.sun.tools.attach.AgentInitializationException e) {
                  System.out.println("not attached");
                }
                vm.detach();
                app.Main.main(args);
              }
            }
            """,
            MAIN);
    return Jvm.java(
        "-Xshare:off",
        "-XX:+EnableDynamicAgentLoading",
        "-Djdk.attach.allowAttachSelf=true",
        "-cp",
        attach + File.pathSeparator + classes,
        "Attach",
        jar,
        options);
  }
}
