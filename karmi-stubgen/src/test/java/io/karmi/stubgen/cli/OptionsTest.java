package io.karmi.stubgen.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Every option of karmic, and every kind of error, on programs compiled for the purpose. */
public class OptionsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path root;
  private Path classes;
  private Path target;

  @Before
  public void compile() throws IOException {
    root = folder.getRoot().toPath();
    classes = root.resolve("classes");
    target = root.resolve("target");
    javac(
        "package app; public interface Clock extends java.rmi.Remote {"
            + " long now() throws java.rmi.RemoteException;"
            + " void set(long now, String by) throws java.rmi.RemoteException; }",
        "package app; public interface Bell extends java.rmi.Remote {"
            + " void ring() throws java.rmi.RemoteException; }",
        "package app; public class Tower implements Clock, Bell {"
            + " public long now() { return 0; } public void set(long now, String by) {}"
            + " public void ring() {} }",
        "package app; public class Plain {}");
  }

  private void javac(String... units) throws IOException {
    Path sources = Files.createDirectories(root.resolve("sources"));
    List<String> line = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", classes.toString()));
    for (String unit : units) {
      String name = unit.replaceAll("(?s).*? (?:class|interface) (\\w+).*", "$1");
      line.add(Files.writeString(sources.resolve(name + ".java"), unit).toString());
    }
    line.addAll(List.of("-cp", classes.toString()));
    assertThat(
            ToolProvider.getSystemJavaCompiler().run(null, null, null, line.toArray(new String[0])))
        .isZero();
  }

  private int karmic(Object... arguments) {
    out.reset();
    err.reset();
    String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    return new Karmic(new PrintStream(out, true), new PrintStream(err, true)).run(words);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private List<String> files() throws IOException {
    if (!Files.exists(target)) {
      return List.of();
    }
    try (Stream<Path> walk = Files.walk(target)) {
      return walk.filter(Files::isRegularFile)
          .map(path -> target.relativize(path).toString().replace('\\', '/'))
          .sorted()
          .toList();
    }
  }

  private static final String[] CLOCK = {
    "app/Clock_KSkel.class", "app/Clock_KStub$Arguments0.class", "app/Clock_KStub.class"
  };

  @Test
  public void classesGoWhereTheyAreToldInTheFoldersOfTheirPackages() throws Exception {
    for (String option : List.of("-classpath", "-cp", "--class-path", "--classpath")) {
      assertThat(karmic("-d", target, option, classes, "app.Clock")).as(err()).isZero();
      assertThat(files()).containsExactly(CLOCK);
    }
  }

  @Test
  public void aJarIsScannedForAllThatIsRemote() throws Exception {
    Path jar = root.resolve("app.jar");
    try (JarOutputStream file = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String name : List.of("Clock", "Bell", "Tower", "Plain")) {
        file.putNextEntry(new JarEntry("app/" + name + ".class"));
        Files.copy(classes.resolve("app/" + name + ".class"), file);
        file.closeEntry();
      }
    }
    assertThat(karmic("-d", target, "--scan", jar)).as(err()).isZero();
    List<String> scanned = files();
    assertThat(scanned).contains(CLOCK).contains("app/Bell_KStub.class");
    assertThat(scanned)
        .filteredOn(name -> name.matches("app/Clock_KS(tub|kel)_[0-9a-f]+\\.class"))
        .as("of both interfaces together")
        .hasSize(2);
    assertThat(karmic("-d", root.resolve("again"), "--scan", classes)).isZero();
    assertThat(root.resolve("again/app").toFile().list()).hasSameSizeAs(scanned);
  }

  @Test
  public void aJarIsSaidToBeMissingOrToHaveNothingRemote() throws Exception {
    Path empty = Files.createDirectories(root.resolve("empty"));
    assertThat(karmic("-d", target, "--scan", empty)).isZero();
    assertThat(err()).isEqualToIgnoringNewLines(empty + ": warning: no remote interface: no stubs");
    assertThat(karmic("-d", target, "--scan", root.resolve("gone.jar"))).isEqualTo(1);
    assertThat(err()).endsWith("gone.jar is not there\n").hasLineCount(1);
  }

  @Test
  public void classFilesAreMadeForTheReleaseThatIsAskedFor() throws Exception {
    for (int release : new int[] {17, 21, 25}) {
      for (String option : List.of("--release", "-target")) {
        assertThat(karmic("-d", target, option, release, "-cp", classes, "app.Clock")).isZero();
        byte[] stub = Files.readAllBytes(target.resolve("app/Clock_KStub.class"));
        assertThat(stub[7]).isEqualTo((byte) (44 + release));
      }
    }
    for (String wrong : List.of("8", "99", "new")) {
      assertThat(karmic("--release", wrong, "-cp", classes, "app.Clock")).isEqualTo(2);
      assertThat(err()).contains("--release " + wrong).hasLineCount(1);
    }
  }

  @Test
  public void sourceIsWrittenInsteadOfClassesOrBesideThem() throws Exception {
    assertThat(karmic("--source", "-d", target, "-cp", classes, "app.Clock")).isZero();
    assertThat(files()).containsExactly("app/Clock_KSkel.java", "app/Clock_KStub.java");
    assertThat(target.resolve("app/Clock_KStub.java"))
        .content()
        .contains(
            "public long now() throws java.rmi.RemoteException {",
            "return reference.longApplicationCall(0, io.karmi.marshal.Arguments.NONE);");
    for (String option : List.of("-keep", "-keepgenerated")) {
      assertThat(karmic(option, "-d", target, "-cp", classes, "app.Clock")).isZero();
      assertThat(files()).hasSize(5).contains(CLOCK).contains("app/Clock_KStub.java");
    }
  }

  @Test
  public void filesThatStayAsTheyAreAreNotWritten() throws Exception {
    assertThat(karmic("-verbose", "-d", target, "-cp", classes, "app.Clock", "app.Bell")).isZero();
    assertThat(out.toString()).hasLineCount(5).contains("Clock_KStub.class");
    Path stub = target.resolve("app/Clock_KStub.class");
    Files.setLastModifiedTime(stub, FileTime.fromMillis(1000));
    Files.write(target.resolve("app/Bell_KStub.class"), new byte[] {1});
    assertThat(karmic("-verbose", "-d", target, "-cp", classes, "app.Clock", "app.Bell")).isZero();
    assertThat(out.toString()).hasLineCount(1).contains("Bell_KStub.class");
    assertThat(Files.getLastModifiedTime(stub).toMillis()).isEqualTo(1000);
  }

  @Test
  public void rmicsOtherOptionsAreUnderstood() throws Exception {
    assertThat(karmic("-nowrite", "-d", target, "-cp", classes, "app.Clock")).isZero();
    assertThat(files()).isEmpty();
    assertThat(karmic("-bootclasspath", classes, "-cp", root, "-d", target, "app.Clock")).isZero();
    assertThat(files()).containsExactly(CLOCK);
    assertThat(karmic("-v1.2", "-g", "-vcompat", "-cp", classes, "-d", target, "app.Bell"))
        .isZero();
    assertThat(err()).hasLineCount(3).contains("-v1.2 has no effect");
    assertThat(karmic("-nowarn", "-v1.2", "-cp", classes, "-d", target, "app.Bell")).isZero();
    assertThat(err()).isEmpty();
    assertThat(karmic("-iiop", "-cp", classes, "app.Clock")).isEqualTo(2);
    assertThat(err()).contains("IIOP").hasLineCount(1);
  }

  @Test
  public void allJarsOfAFolderMayBeNamedAtOnce() throws Exception {
    Path lib = Files.createDirectory(root.resolve("lib"));
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(lib.resolve("a.jar")))) {
      jar.putNextEntry(new JarEntry("app/Bell.class"));
      Files.copy(classes.resolve("app/Bell.class"), jar);
    }
    assertThat(karmic("-cp", root + File.pathSeparator + lib + "/*", "-d", target, "app.Bell"))
        .as(err())
        .isZero();
    assertThat(karmic("-extdirs", lib, "-cp", root, "-d", target, "app.Bell")).isZero();
  }

  @Test
  public void allErrorsAreSaidAtOnceAndNothingIsWritten() throws Exception {
    javac(
        "package app; public interface Wrong extends java.rmi.Remote {"
            + " void one(); int two(java.util.Optional<String> a) throws java.rmi.RemoteException;"
            + " Gone three(Gone[] gone, Thread thread) throws java.rmi.RemoteException; }",
        "package app; public class Gone {}",
        "package app; public interface Orphan extends Lost {}",
        "package app; public interface Lost extends java.rmi.Remote {}",
        "package app; public interface Local { void call() throws java.rmi.RemoteException; }");
    Files.delete(classes.resolve("app/Gone.class"));
    Files.delete(classes.resolve("app/Lost.class"));
    int status =
        karmic(
            "-d",
            target,
            "-cp",
            classes,
            "app.Wrong",
            "app.Clock",
            "app.Plain",
            "app.Local",
            "app.Orphan",
            "app.None");
    assertThat(status).isEqualTo(1);
    String wrong = classes.resolve("app/Wrong.class").toString();
    assertThat(err().lines())
        .containsExactlyInAnyOrder(
            wrong + ": one(): does not declare java.rmi.RemoteException",
            wrong
                + ": two(java.util.Optional): parameter 1 is of java.util.Optional, which is final"
                + " and neither Serializable nor Remote",
            wrong + ": three(app.Gone[], java.lang.Thread): parameter 1: class not found: app.Gone",
            wrong + ": three(app.Gone[], java.lang.Thread): its result: class not found: app.Gone",
            wrong
                + ": three(app.Gone[], java.lang.Thread): warning: parameter 2 is of"
                + " java.lang.Thread, which is neither Serializable nor Remote; only a subclass may"
                + " be",
            classes.resolve("app/Plain.class")
                + ": app.Plain is not remote: it neither extends nor implements java.rmi.Remote",
            classes.resolve("app/Local.class")
                + ": app.Local is not remote: it neither extends nor implements java.rmi.Remote",
            classes.resolve("app/Orphan.class") + ": class not found: app.Lost",
            "app/None.class: class not found: app.None");
    assertThat(files()).isEmpty();
  }

  @Test
  public void aWarningDoesNotKeepFilesFromBeingWritten() throws Exception {
    javac(
        "package app; public interface Odd extends java.rmi.Remote {"
            + " void run(Thread thread) throws java.rmi.RemoteException; }");
    assertThat(karmic("-d", target, "-cp", classes, "app.Odd")).isZero();
    assertThat(err()).contains("warning: parameter 1 is of java.lang.Thread").hasLineCount(1);
    assertThat(files()).contains("app/Odd_KStub.class");
    assertThat(karmic("-nowarn", "-d", target, "-cp", classes, "app.Odd")).isZero();
    assertThat(err()).isEmpty();
  }

  @Test
  public void whatCannotBeWrittenLeavesNothingHalfWritten() throws Exception {
    Path place = Files.createDirectories(target.resolve("app"));
    /* The last file of the run cannot be placed: a directory that is not empty is in its way. */
    Files.createDirectories(place.resolve("Clock_KSkel.class/in the way"));
    assertThat(karmic("-d", target, "-cp", classes, "app.Clock")).isEqualTo(1);
    assertThat(err()).contains("Clock_KSkel.class").hasLineCount(1);
    assertThat(Arrays.asList(place.toFile().list())).containsExactly("Clock_KSkel.class");
  }

  @Test
  public void nativeImagesMetadataNamesStubsInterfacesAndValues() throws Exception {
    javac(
        "package app; public class Value implements java.io.Serializable { Inner[] inner;"
            + " transient Thread thread; }",
        "package app; public class Inner implements java.io.Serializable { int number; }",
        "package app; public interface Values extends Clock {"
            + " Value[] get() throws java.rmi.RemoteException; }");
    assertThat(karmic("--native-image", "-d", target, "-cp", classes, "app.Values")).isZero();
    String json =
        Files.readString(
            target.resolve(
                "META-INF/native-image/io.karmi.karmic/stubs/reachability-metadata.json"));
    assertThat(json)
        .contains("{\"type\": \"app.Values_KStub\", \"methods\": [{\"name\": \"<init>\"")
        .contains("\"type\": \"app.Values_KSkel\"", "\"type\": \"app.Clock\"")
        .contains("\"type\": \"app.Value\", \"allDeclaredFields\": true", "\"app.Inner\"")
        .contains("\"app.Value[]\"", "{\"type\": {\"proxy\": [\"app.Values\"]}}")
        .doesNotContain("Thread");
  }
}
