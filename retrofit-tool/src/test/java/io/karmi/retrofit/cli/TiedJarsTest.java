package io.karmi.retrofit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Jars that the JVM takes only together with jars that they were made with. */
public class TiedJarsTest {
  private static final String MAIN =
      """
      package app;
      import java.io.*;
      public class Main {
        public static void main(String[] args) throws Exception {
          new ObjectOutputStream(OutputStream.nullOutputStream());
          System.out.println(lib.Lib.text() + Other.text() + far.Far.text());
        }
      }
      """;
  private static final String OTHER =
      "package app; public class Other { static String text() { return \"other\" + lib.More.text(); } }";
  private static final String MORE =
      "package lib; public class More { public static String text() { return \"more\"; } }";
  private static final String LIB =
      "package lib; public class Lib { public static String text() { return \"lib\"; } }";
  private static final String FAR =
      "package far; public class Far { public static String text() { return \"far\"; } }";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private Path root;
  private Path classes;

  @Before
  public void compile() {
    root = folder.getRoot().toPath();
    classes = Sources.compile(root.resolve("classes"), List.of(), MAIN, OTHER, MORE, LIB, FAR);
  }

  private int run(Object... arguments) {
    String[] words = Stream.of(arguments).map(Object::toString).toArray(String[]::new);
    return new KarmiRetrofit(new PrintStream(out, true), new PrintStream(err, true)).run(words);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** A jar of some of the classes, with a signature of the test's key. */
  private Path signed(Path jar, String... names) throws Exception {
    Path some = Files.createTempDirectory(root, "some");
    for (String name : names) {
      Path copy = some.resolve(name + ".class");
      Files.createDirectories(copy.getParent());
      Files.copy(classes.resolve(name + ".class"), copy);
    }
    Jars.of(jar, Jars.manifest(), some);
    sign(jar);
    return jar;
  }

  private void sign(Path jar) throws Exception {
    Path keys = root.resolve("keys");
    if (!Files.exists(keys)) {
      tool(
          "keytool",
          "-genkeypair",
          "-keystore",
          keys,
          "-storepass",
          "secret",
          "-alias",
          "me",
          "-dname",
          "CN=me",
          "-keyalg",
          "EC");
    }
    tool("jarsigner", "-keystore", keys, "-storepass", "secret", jar, "me");
  }

  private void tool(String name, Object... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", name).toString());
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    Path said = root.resolve("said");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(process.waitFor()).as(Files.readString(said)).isZero();
  }

  private static boolean isSigned(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream().anyMatch(entry -> entry.getName().endsWith(".SF"));
    }
  }

  @Test
  public void signedJarsOfOnePackageRunTogetherAfterwards() throws Exception {
    Path lib = Files.createDirectories(root.resolve("in/lib"));
    signed(lib.resolve("a.jar"), "lib/Lib");
    signed(lib.resolve("b.jar"), "app/Other", "lib/More");
    signed(lib.resolve("c.jar"), "app/Main");
    Path far = signed(lib.resolve("d.jar"), "far/Far");
    Jvm.Result stock = Jvm.java("-cp", lib + "/*", "app.Main");
    assertThat(stock).isEqualTo(new Jvm.Result(0, "libothermorefar\n", ""));
    Path target = root.resolve("out");
    assertThat(run(lib, "-o", target)).as(err()).isZero();
    Path karmi = Jars.karmi(root);
    assertThat(Jvm.java("-cp", target + "/*" + File.pathSeparator + karmi, "app.Main"))
        .isEqualTo(stock);
    assertThat(target.resolve("d.jar")).as("shares nothing").hasSameBinaryContentAs(far);
    assertThat(err().lines())
        .hasSize(3)
        .anyMatch(
            line -> line.startsWith(lib.resolve("c.jar") + ": its signature is dropped: what"))
        .anyMatch(line -> line.startsWith(lib.resolve("b.jar") + ": its signature is dropped, as"))
        .anyMatch(line -> line.startsWith(lib.resolve("a.jar") + ": its signature is dropped, as"));
    String said = err();
    err.reset();
    assertThat(run("--dry-run", lib)).isZero();
    assertThat(err()).isEqualTo(said);
  }

  @Test
  public void signedJarsInsideAJarLoseTheirSignaturesTogether() throws Exception {
    Path war = Files.createDirectories(root.resolve("war/WEB-INF/lib")).getParent().getParent();
    signed(war.resolve("WEB-INF/lib/a.jar"), "app/Other");
    signed(war.resolve("WEB-INF/lib/b.jar"), "app/Main");
    signed(war.resolve("WEB-INF/lib/c.jar"), "far/Far");
    Path in = Jars.of(root.resolve("in.war"), Jars.manifest(), war);
    Path target = root.resolve("out.war");
    assertThat(run(in, "-o", target)).as(err()).isZero();
    assertThat(err()).contains(in + "!/WEB-INF/lib/a.jar: its signature is dropped, as");
    Path inner = root.resolve("inner.jar");
    try (JarFile file = new JarFile(target.toFile())) {
      for (String each : List.of("a", "b", "c")) {
        String name = "WEB-INF/lib/" + each + ".jar";
        Files.write(inner, file.getInputStream(file.getEntry(name)).readAllBytes());
        assertThat(isSigned(inner)).as(name).isEqualTo(each.equals("c"));
      }
    }
  }

  @Test
  public void aProgramWhoseClassPathChangesTakesTheSignaturesOfItsPackagesAlong() throws Exception {
    String start =
        "package start; public class Start {"
            + " public static void main(String[] a) throws Exception {"
            + " app.Main.main(a); System.out.println(new Beside()); } }";
    String beside =
        "package start; class Beside { public String toString() { return \"beside\"; } }";
    Path folders =
        Sources.compile(
            root.resolve("starting"), List.of("-cp", classes.toString()), start, beside);
    Path apps = Files.createDirectory(root.resolve("apps"));
    Path besides = Files.createDirectories(root.resolve("besides/start"));
    Files.move(folders.resolve("start/Beside.class"), besides.resolve("Beside.class"));
    Path program =
        Jars.of(
            apps.resolve("start.jar"),
            Jars.manifest("Main-Class", "start.Start", "Class-Path", "main.jar beside.jar"),
            folders);
    sign(program);
    sign(Jars.of(apps.resolve("beside.jar"), Jars.manifest(), besides.getParent()));
    Jars.of(apps.resolve("main.jar"), Jars.manifest(), classes);
    Jvm.Result stock = Jvm.java("-jar", program);
    assertThat(stock).isEqualTo(new Jvm.Result(0, "libothermorefar\nbeside\n", ""));
    Path target = root.resolve("out");
    assertThat(run(apps, "-o", target)).as(err()).isZero();
    Jars.karmi(target);
    assertThat(Jvm.java("-jar", target.resolve("start.jar"))).isEqualTo(stock);
  }

  @Test
  public void modulesWithHashesOfChangedOnesStart() throws Exception {
    Path in = Files.createDirectory(root.resolve("in"));
    Path base =
        module("base", "module base { exports base; }", "package base; public class Base {}");
    String main =
        MAIN.replace("lib.Lib.text() + Other.text() + far.Far.text()", "new base.Base() != null");
    Path app =
        Sources.compile(
            root.resolve("app"),
            List.of("-p", base.toString()),
            "module app { requires base; }",
            main);
    Path idle =
        Sources.compile(
            root.resolve("idle"),
            List.of("-p", base.toString()),
            "module idle { requires base; }",
            "package idle; class Idle {}");
    Jars.of(in.resolve("app.jar"), Jars.manifest(), app);
    Jars.of(in.resolve("idle.jar"), Jars.manifest(), idle);
    hashed(in.resolve("base.jar"), base, in, "app|idle");
    Path more =
        module("more", "module more { exports more; }", "package more; public class More {}");
    Path needs =
        Sources.compile(
            root.resolve("needs"),
            List.of("-p", more.toString()),
            "module needs { requires more; }");
    Jars.of(in.resolve("needs.jar"), Jars.manifest(), needs);
    hashed(in.resolve("more.jar"), more, in, "needs");
    Jvm.Result stock = Jvm.java("-p", in, "-m", "app/app.Main");
    assertThat(stock).isEqualTo(new Jvm.Result(0, "true\n", ""));
    Path target = root.resolve("out");
    assertThat(run(in, "-o", target)).as(err()).isZero();
    String path = target + File.pathSeparator + Jars.karmi(root);
    assertThat(Jvm.java("-p", path, "--add-modules", "ALL-MODULE-PATH", "-m", "app/app.Main"))
        .isEqualTo(stock);
    assertThat(err().strip())
        .isEqualTo(
            in.resolve("base.jar")
                + ": its hashes of other modules are dropped: such a module has changed");
    assertThat(target.resolve("more.jar"))
        .as("all that it has hashes of are as they were")
        .hasSameBinaryContentAs(in.resolve("more.jar"));
  }

  private Path module(String name, String... units) {
    return Sources.compile(root.resolve(name), List.of(), units);
  }

  private static void hashed(Path jar, Path classes, Path modules, String tied) {
    int made =
        ToolProvider.findFirst("jar")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "--create",
                "--file",
                jar.toString(),
                "--hash-modules",
                tied,
                "--module-path",
                modules.toString(),
                "-C",
                classes.toString(),
                ".");
    assertThat(made).isZero();
  }
}
