package io.karmi.karmic;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A corpus of awkward remote interfaces, called from one JVM to another: over stock RMI, by stubs
 * made at run time, by karmic's, and by those compiled from karmic's source. All must print the
 * same.
 */
public class CorpusTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String RUNTIME = System.getProperty("java.class.path");
  private static final String OFF = "-Dkarmi.codegen=off";

  private static Path root;
  private static Path classes;
  private static Path stubs;
  private static String stock;

  @BeforeClass
  public static void compile() throws Exception {
    root = FOLDER.getRoot().toPath();
    classes = root.resolve("classes");
    List<String> sources = new ArrayList<>();
    try (Stream<Path> list = Files.list(Path.of("src/test/programs/corpus"))) {
      list.forEach(path -> sources.add(path.toString()));
    }
    javac(classes, RUNTIME, sources);
    stubs = root.resolve("stubs");
    assertThat(Commands.karmic("-d", stubs, "-cp", classes, "--scan", classes))
        .isEqualTo(new Jvm.Result(0, "", ""));
    stock = run("stock", classes.toString()).out();
    assertThat(stock).hasLineCount(94);
  }

  @AfterClass
  public static void endServers() throws InterruptedException {
    Commands.endServers();
  }

  private static void javac(Path target, String classPath, List<String> sources)
      throws IOException {
    Files.createDirectories(target);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-nowarn",
                "-Xlint:none",
                "-g",
                "-d",
                target.toString(),
                "-encoding",
                "UTF-8"));
    arguments.addAll(List.of("-cp", classPath));
    arguments.addAll(sources);
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(new String[0]));
    assertThat(result).as("javac %s", arguments).isZero();
  }

  private static String path(Object... entries) {
    List<String> all = new ArrayList<>();
    for (Object each : entries) {
      all.add(each.toString());
    }
    return String.join(File.pathSeparator, all);
  }

  /** Runs server and client, and returns what the client printed. */
  private static Jvm.Result run(String rmi, String program, String... options) throws Exception {
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("-Dcorpus.rmi=" + rmi, "-cp", path(program, RUNTIME)));
    int port = Commands.server(all, "corpus.Server");
    return Commands.java(all, "corpus.Client", Integer.toString(port));
  }

  @Test
  public void stubsMadeAtRunTimeDoAsStockRmi() throws Exception {
    assertThat(run("karmi", classes.toString())).isEqualTo(new Jvm.Result(0, stock, ""));
  }

  @Test
  public void reflectionDoesAsStockRmiWhereNoCodeIsGenerated() throws Exception {
    assertThat(run("karmi", classes.toString(), OFF)).isEqualTo(new Jvm.Result(0, stock, ""));
  }

  @Test
  public void karmicsStubsDoAsStockRmiAndNoCodeIsGenerated() throws Exception {
    Path log = root.resolve("loaded");
    Jvm.Result result =
        run(
            "karmi",
            path(classes, stubs),
            OFF,
            "-Dcorpus.stubs=print",
            "-Xlog:class+load:file=" + log + "-%p");
    assertThat(result.out()).isEqualTo(stock);
    assertThat(result.err().lines())
        .isNotEmpty()
        .allMatch(line -> line.matches("corpus\\..*_KStub(_[0-9a-f]+)?"));
    assertThat(generated(log)).isEmpty();
  }

  @Test
  public void karmicsSourceCompilesAndDoesAsStockRmi() throws Exception {
    Path source = root.resolve("source");
    assertThat(Commands.karmic("--source", "-d", source, "-cp", classes, "--scan", classes))
        .isEqualTo(new Jvm.Result(0, "", ""));
    List<String> sources = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(source)) {
      walk.filter(Files::isRegularFile).forEach(path -> sources.add(path.toString()));
    }
    assertThat(sources).hasSizeGreaterThan(20).allMatch(name -> name.endsWith(".java"));
    Path compiled = root.resolve("compiled");
    javac(compiled, path(classes, RUNTIME), sources);
    Jvm.Result result = run("karmi", path(classes, compiled), OFF, "-Dcorpus.stubs=print");
    assertThat(result.out()).isEqualTo(stock);
    assertThat(result.err().lines()).isNotEmpty().allMatch(line -> line.contains("_KStub"));
  }

  @Test
  public void sourceAndClassFilesHaveTheSameMembers() throws Exception {
    Path both = root.resolve("both");
    assertThat(Commands.karmic("-keep", "-d", both, "-cp", classes, "corpus.Wide").exit()).isZero();
    assertThat(both.resolve("corpus").toFile().list())
        .containsExactlyInAnyOrder(
            "Wide_KStub.class",
            "Wide_KStub$Arguments0.class",
            "Wide_KSkel.class",
            "Wide_KStub.java",
            "Wide_KSkel.java");
  }

  /** A trace of our own: which classes of the program a run on the JVM loads. */
  @Test
  public void nativeImagesMetadataNamesAllThatARunReachesByName() throws Exception {
    Path made = root.resolve("image");
    assertThat(
            Commands.karmic("--native-image", "-d", made, "-cp", classes, "--scan", classes).exit())
        .isZero();
    String json =
        Files.readString(
            made.resolve("META-INF/native-image/io.karmi.karmic/stubs/reachability-metadata.json"));
    Path log = root.resolve("traced");
    String logged = "-Xlog:class+load:file=" + log + "-%p";
    assertThat(run("karmi", path(classes, made), OFF, logged).out()).isEqualTo(stock);
    List<String> needed = new ArrayList<>();
    try (URLClassLoader program =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL(), made.toUri().toURL()},
            CorpusTest.class.getClassLoader())) {
      for (String name : loaded(log)) {
        if (isReachedByName(Class.forName(name, false, program))) {
          needed.add(name);
        }
      }
    }
    assertThat(needed)
        .contains("corpus.Interfaces$Words_KStub", "corpus.Interfaces$Words_KSkel")
        .contains("corpus.Interfaces$Point", "corpus.Interfaces$Kinds", "corpus.Wide")
        .allSatisfy(name -> assertThat(json).contains("\"type\": \"" + name + "\""));
  }

  /** A trace of KaRMI's own calls of reflection, in the server and in the client. */
  @Test
  public void nativeImagesMetadataRegistersAllThatKarmiReachesByReflection() throws Exception {
    Path made = root.resolve("image-of-trace");
    assertThat(
            Commands.karmic("--native-image", "-d", made, "-cp", classes, "--scan", classes).exit())
        .isZero();
    Path trace = root.resolve("reflection-");
    String agent = "-javaagent:" + tracer() + "=" + trace;
    assertThat(run("karmi", path(classes, made), OFF, agent).out()).isEqualTo(stock);
    Set<String> reached = new TreeSet<>();
    try (Stream<Path> list = Files.list(root)) {
      for (Path each : (Iterable<Path>) list::iterator) {
        if (each.getFileName().toString().startsWith(trace.getFileName().toString())) {
          reached.addAll(Files.readAllLines(each));
        }
      }
    }
    assertThat(reached)
        .contains("method corpus.Interfaces$Words_KStub <init>(io.karmi.reference.ClientRef)")
        .contains("field corpus.Interfaces$Words_KStub FINGERPRINT")
        .contains("serializable corpus.Interfaces$Point");
    Reachability registered = Reachability.of(path(made, RUNTIME));
    assertThat(reached.stream().filter(line -> !registered.registers(line)).toList()).isEmpty();
  }

  private static Path tracer() throws IOException {
    Path jar = root.resolve("tracer.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", ReflectionTracer.class.getName());
    try (OutputStream file = Files.newOutputStream(jar)) {
      new JarOutputStream(file, manifest).close(); // its classes are on the class path
    }
    return jar;
  }

  /** Stubs, skeletons, remote interfaces, and values that arrive in a stream. */
  private static boolean isReachedByName(Class<?> type) {
    boolean made = type.getSimpleName().matches(".*_KS(tub|kel)(_[0-9a-f]+)?");
    boolean remote = type.isInterface() && java.rmi.Remote.class.isAssignableFrom(type);
    return made || remote || java.io.Serializable.class.isAssignableFrom(type) && !isStub(type);
  }

  private static boolean isStub(Class<?> type) {
    return java.rmi.Remote.class.isAssignableFrom(type);
  }

  private static Set<String> loaded(Path log) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> list = Files.list(root)) {
      for (Path each : (Iterable<Path>) list::iterator) {
        if (each.getFileName().toString().startsWith(log.getFileName() + "-")) {
          for (String line : Files.readAllLines(each)) {
            Matcher found = Pattern.compile("\\] (corpus\\.[\\w.$]+) source:").matcher(line);
            if (found.find() && !line.contains("$$Lambda")) {
              names.add(found.group(1));
            }
          }
        }
      }
    }
    return names;
  }

  /** Classes that are in no file: not counted are those that the JDK makes of lambdas. */
  private static List<String> generated(Path log) throws IOException {
    List<String> found = new ArrayList<>();
    int logs = 0;
    try (Stream<Path> list = Files.list(root)) {
      for (Path each : (Iterable<Path>) list::iterator) {
        if (each.getFileName().toString().startsWith(log.getFileName() + "-")) {
          logs++;
          for (String line : Files.readAllLines(each)) {
            boolean ofJdk =
                line.contains("$$Lambda")
                    || line.contains("LambdaForm")
                    || line.contains("$Species_");
            boolean inFile =
                line.matches(".*source: (jrt:|file:|shared objects file|jar:|.*\\.jar).*");
            boolean ours =
                line.contains("io.karmi") || line.contains("corpus") || line.contains("$Proxy");
            if (ours && !inFile && !ofJdk) {
              found.add(line);
            }
          }
        }
      }
    }
    assertThat(logs).isEqualTo(2);
    return found;
  }
}
