package io.karmi.karmic;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** karmic on the processor path of javac, found there as any processor is. */
public class ProcessorTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
  private Path root;
  private Path classes;

  @Before
  public void name() {
    root = folder.getRoot().toPath();
    classes = root.resolve("classes");
  }

  private boolean javac(List<Path> sources, String... options) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Files.createDirectories(classes);
    List<String> all =
        new ArrayList<>(List.of("-processorpath", CLASS_PATH, "-d", classes.toString(), "-g"));
    all.addAll(List.of("-cp", CLASS_PATH, "-nowarn"));
    all.addAll(List.of(options));
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(messages, Locale.ENGLISH, null)) {
      return compiler
          .getTask(
              new StringWriter(),
              files,
              messages,
              all,
              null,
              files.getJavaFileObjectsFromPaths(sources))
          .call();
    }
  }

  private Path source(String name, String text) throws IOException {
    Path directory = Files.createDirectories(root.resolve("sources/app"));
    return Files.writeString(directory.resolve(name + ".java"), text);
  }

  private List<String> errors() {
    List<String> errors = new ArrayList<>();
    for (Diagnostic<?> each : messages.getDiagnostics()) {
      if (each.getKind() == Diagnostic.Kind.ERROR) {
        errors.add(each.getLineNumber() + ": " + each.getMessage(Locale.ENGLISH));
      }
    }
    return errors;
  }

  private static Map<String, byte[]> generated(Path directory) throws IOException {
    Map<String, byte[]> found = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path each : (Iterable<Path>) walk::iterator) {
        if (each.getFileName().toString().matches(".*_KS(tub|kel).*\\.class")) {
          found.put(directory.relativize(each).toString(), Files.readAllBytes(each));
        }
      }
    }
    return found;
  }

  @Test
  public void classesAreThoseThatTheCommandMakes() throws Exception {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> list = Files.list(Path.of("src/test/programs/corpus"))) {
      list.forEach(sources::add);
    }
    assertThat(javac(sources)).as("%s", errors()).isTrue();
    Map<String, byte[]> made = generated(classes);
    Path stubs = root.resolve("stubs");
    Jvm.Result result = Commands.karmic("-d", stubs, "-cp", classes, "--scan", classes);
    assertThat(result.exit()).isZero();
    Map<String, byte[]> expected = generated(stubs);
    assertThat(made.keySet()).isEqualTo(expected.keySet()).hasSizeGreaterThan(30);
    made.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(expected.get(name)));
  }

  @Test
  public void problemsAreShownAtTheMethod() throws Exception {
    Path wrong =
        source(
            "Wrong",
            """
            package app;
            public interface Wrong extends java.rmi.Remote {
              void one();
              void two(java.util.Optional<String> a) throws java.rmi.RemoteException;
            }
            """);
    assertThat(javac(List.of(wrong))).isFalse();
    assertThat(errors())
        .containsExactlyInAnyOrder(
            "3: app.Wrong.one(): does not declare java.rmi.RemoteException",
            "4: app.Wrong.two(java.util.Optional): parameter 1 is of java.util.Optional, which is"
                + " final and neither Serializable nor Remote");
    assertThat(generated(root)).isEmpty();
  }

  @Test
  public void whatStaysAsItIsIsNotWrittenAgain() throws Exception {
    String text =
        "package app; interface Clock extends java.rmi.Remote { %s now()"
            + " throws java.rmi.RemoteException; interface Bell extends java.rmi.Remote { void ring()"
            + " throws java.rmi.RemoteException; } }";
    Path clock = source("Clock", text.formatted("long"));
    assertThat(javac(List.of(clock))).as("%s", errors()).isTrue();
    Path clockStub = classes.resolve("app/Clock_KStub.class");
    Path bellStub = classes.resolve("app/Clock$Bell_KStub.class");
    FileTime old = FileTime.fromMillis(1000);
    for (Path each : List.of(clockStub, bellStub)) {
      Files.setLastModifiedTime(each, old);
    }
    assertThat(javac(List.of(source("Clock", text.formatted("int"))))).isTrue();
    assertThat(Files.getLastModifiedTime(bellStub)).isEqualTo(old);
    assertThat(Files.getLastModifiedTime(clockStub)).isNotEqualTo(old);
  }

  @Test
  public void interfacesCompiledElsewhereMayBeNamed() throws Exception {
    Path other = source("Other", "package app; class Other {}");
    assertThat(javac(List.of(other), "-Akarmic.also=java.rmi.registry.Registry")).isTrue();
    assertThat(generated(classes).keySet())
        .contains("io/karmi/generated/java/rmi/registry/Registry_KStub.class");
    assertThat(javac(List.of(other), "-Akarmic.also=no.such.Thing")).isFalse();
    assertThat(errors()).anyMatch(line -> line.contains("class not found: no.such.Thing"));
  }

  @Test
  public void aClassPathAloneStartsNoProcessor() throws Exception {
    assertThat(CLASS_PATH).as("this module's own").contains("karmic");
    Path stubgen = Path.of("../karmi-stubgen/target/classes");
    assertThat(stubgen.resolve("META-INF/services/javax.annotation.processing.Processor"))
        .as("in what is on every class path that KaRMI is on")
        .doesNotExist();
  }
}
